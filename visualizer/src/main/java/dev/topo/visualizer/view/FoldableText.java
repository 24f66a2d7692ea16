package dev.topo.visualizer.view;

import dev.topo.model.io.FoldedText;
import java.io.IOException;

/** A text for people, whose paragraphs a terminal shows in lines of its own width. */
record FoldableText(Answer answer) implements Answer {
  @Override
  public void writeTo(Appendable out) throws IOException {
    answer.writeTo(out);
  }

  @Override
  public Answer fitting(int columns) {
    return out -> {
      StringBuilder text = new StringBuilder();
      answer.writeTo(text);
      out.append(FoldedText.of(text.toString(), columns));
    };
  }
}
