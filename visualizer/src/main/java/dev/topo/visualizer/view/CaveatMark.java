package dev.topo.visualizer.view;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.search.rules.ReleaseRules;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Puts the caveats of an answer into it, where its format has a place for them.
 *
 * @param messages takes them, a line each, if it has none
 * @param rules the rules of NCCL that the answer follows
 * @param caveats the caveats
 */
public record CaveatMark(Consumer<String> messages, ReleaseRules rules, List<Caveat> caveats) {
  /** An answer in a format with a field or a column for caveats. */
  public interface Markable extends Answer {
    /** The same answer with these caveats, by these rules. */
    Answer with(ReleaseRules rules, List<Caveat> caveats);
  }

  /**
   * The marked answer; where the format has no place, the caveats go to the messages.
   *
   * @param format the name of the format
   */
  public Answer mark(String format, Answer answer) {
    if (answer instanceof Markable markable) {
      return markable.with(rules, caveats);
    }
    if (caveats.isEmpty()) {
      return answer;
    }
    return switch (format) {
      case "text" -> before("", answer);
      case "tuner" -> before("# ", answer);
      case "mermaid" -> before("%% ", answer);
      case "dot" -> before("// ", answer);
      case "xml" -> inRoot(answer);
      case "svg" -> {
        report();
        yield inRoot(answer);
      }
      case "html" -> answer;
      default -> {
        report();
        yield answer;
      }
    };
  }

  /** Gives the caveats to the messages. */
  public void report() {
    caveats.forEach(caveat -> report(caveat, messages));
  }

  /** Gives a caveat to the messages. */
  public static void report(Caveat caveat, Consumer<String> messages) {
    messages.accept(line(caveat));
  }

  private static String line(Caveat caveat) {
    return "caveat: " + caveat;
  }

  private Answer before(String prefix, Answer answer) {
    String lines =
        caveats.stream().map(caveat -> prefix + line(caveat) + "\n").collect(Collectors.joining());
    return Answer.join(List.of(Answer.of(lines), answer), "");
  }

  /** A comment behind the start of the root element; NCCL's reader skips it. */
  private Answer inRoot(Answer answer) {
    String comments =
        caveats.stream()
            .map(caveat -> "\n  <!-- " + line(caveat).replace("--", "- -") + " -->")
            .collect(Collectors.joining());
    return out -> {
      StringBuilder text = new StringBuilder();
      answer.writeTo(text);
      int end = text.indexOf(">") + 1;
      out.append(text, 0, end).append(comments).append(text, end, text.length());
    };
  }
}
