package dev.topo.cli.output;

import java.io.IOException;
import java.util.List;

/** Something that can be written out, piece by piece where it is long. */
@FunctionalInterface
public interface Answer {
  /** Writes it. */
  void writeTo(Appendable out) throws IOException;

  /** An answer that is a text already. */
  static Answer of(String text) {
    return out -> out.append(text);
  }

  /** Answers one after the other, with something between them. */
  static Answer join(List<Answer> answers, String between) {
    return out -> {
      for (int i = 0; i < answers.size(); i++) {
        out.append(i == 0 ? "" : between);
        answers.get(i).writeTo(out);
      }
    };
  }
}
