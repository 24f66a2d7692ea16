package dev.topo.visualizer.view;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * An answer with the sentence that sums it up: the first line of a text, the field {@code answer}
 * of JSON. Other formats have no place for it.
 */
record SpokenAnswer(String sentence, Answer answer) implements Answer {
  @Override
  public void writeTo(Appendable out) throws IOException {
    answer.writeTo(out);
  }

  @Override
  public Answer render(Envelope envelope, String format, Consumer<String> messages) {
    return spoken(format).render(envelope, format, messages);
  }

  @Override
  public Answer spoken(String format) {
    if (format.equals("text")) {
      return Answer.join(List.of(Answer.of(sentence + "\n"), answer), "\n");
    }
    return answer instanceof Json.Document document ? document.answering(sentence) : answer;
  }

  @Override
  public Answer under(Envelope envelope) {
    return new SpokenAnswer(envelope.qualify(sentence), answer);
  }

  @Override
  public Answer inBrief() {
    return Answer.of(sentence + "\n");
  }
}
