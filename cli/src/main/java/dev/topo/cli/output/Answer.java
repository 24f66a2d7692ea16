package dev.topo.cli.output;

import java.io.IOException;

/** Something that can be written out, piece by piece where it is long. */
@FunctionalInterface
public interface Answer {
  /** Writes it. */
  void writeTo(Appendable out) throws IOException;

  /** An answer that is a text already. */
  static Answer of(String text) {
    return out -> out.append(text);
  }
}
