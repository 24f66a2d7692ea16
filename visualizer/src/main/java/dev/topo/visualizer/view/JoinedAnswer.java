package dev.topo.visualizer.view;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** Answers one after the other, with something between them; each has its own sentence. */
record JoinedAnswer(List<Answer> answers, String between) implements Answer {
  JoinedAnswer {
    answers = List.copyOf(answers);
  }

  @Override
  public void writeTo(Appendable out) throws IOException {
    for (int i = 0; i < answers.size(); i++) {
      out.append(i == 0 ? "" : between);
      answers.get(i).writeTo(out);
    }
  }

  @Override
  public Answer render(Envelope envelope, String format, Consumer<String> messages) {
    return envelope.around(spoken(format), format, messages);
  }

  @Override
  public Answer spoken(String format) {
    return new JoinedAnswer(
        answers.stream().map(answer -> answer.spoken(format)).toList(), between);
  }

  @Override
  public Answer fitting(int columns) {
    return new JoinedAnswer(
        answers.stream().map(answer -> answer.fitting(columns)).toList(), between);
  }

  @Override
  public Answer inBrief() {
    return new JoinedAnswer(answers.stream().map(Answer::inBrief).toList(), "");
  }
}
