package dev.topo.visualizer.view;

import dev.topo.model.Node.NetNode;
import dev.topo.model.job.Job;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Combines the answers about the communicators of a split into one answer in their format. */
public final class SplitAnswer {
  private SplitAnswer() {}

  /**
   * The answer about a communicator, or about several equal ones.
   *
   * @param label the colours of the communicators, such as {@code 0-3}; empty for a whole job
   * @param devices the names of ports that a text may mention; communicators whose texts differ
   *     only in these are not shown separately
   */
  public record Part(String label, Answer answer, Set<String> devices) {
    public Part {
      devices = Set.copyOf(devices);
    }

    /** An answer that is shown separately unless another one is the same. */
    public Part(String label, Answer answer) {
      this(label, answer, Set.of());
    }

    /** An answer about a communicator of a job, whose port names are ignored in comparisons. */
    public Part(String label, Answer answer, Job job) {
      this(
          label,
          answer,
          job.machines().stream()
              .flatMap(machine -> machine.topology().nets().stream())
              .map(NetNode::name)
              .collect(Collectors.toSet()));
    }
  }

  /**
   * Combines the parts: a single part stays as it is; JSON becomes one document with an array, CSV
   * one table with an additional first column, other formats are concatenated. Of texts that differ
   * only in device names, the first is shown unless verbose.
   *
   * @param format the format of the parts
   */
  public static Answer of(List<Part> parts, String format, boolean isVerbose) {
    if (parts.size() == 1) {
      return parts.get(0).answer();
    }
    return switch (format) {
      case "json" -> Json.split(parts);
      case "csv" -> Csv.split(parts);
      case "text" ->
          Answer.join(
              isVerbose ? parts.stream().map(Part::answer).toList() : AlikeParts.of(parts), "\n");
      default -> Answer.join(parts.stream().map(Part::answer).toList(), "\n");
    };
  }

  /**
   * Combines the answers about communicators, which are shown separately unless they are the same.
   *
   * @param results the result for each communicator, by its colours
   * @param view makes the answer about one result
   */
  public static <T> Answer of(
      Map<String, T> results, String format, boolean isVerbose, Function<T, Answer> view) {
    return of(
        results.entrySet().stream()
            .map(entry -> new Part(entry.getKey(), view.apply(entry.getValue())))
            .toList(),
        format,
        isVerbose);
  }

  /** Answers in sequence with a separator between them; each has its own sentence. */
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
    public Answer under(Envelope envelope) {
      return each(answer -> answer.under(envelope));
    }

    @Override
    public Answer spoken(String format) {
      return each(answer -> answer.spoken(format));
    }

    @Override
    public Answer fitting(int columns) {
      return each(answer -> answer.fitting(columns));
    }

    private Answer each(UnaryOperator<Answer> change) {
      return new JoinedAnswer(answers.stream().map(change).toList(), between);
    }

    @Override
    public Answer inBrief() {
      return new JoinedAnswer(answers.stream().map(Answer::inBrief).toList(), "");
    }
  }
}
