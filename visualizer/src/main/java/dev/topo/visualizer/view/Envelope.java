package dev.topo.visualizer.view;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Inputs.Invocation;
import dev.topo.model.io.TextWriter;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.visualizer.view.Answer.Sentence;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Facts that an answer states besides its result, if its format has a place for them.
 *
 * @param rules the rules of NCCL that the answer follows
 * @param caveats what the answer does not model
 * @param invocation the invocation that made the answer, as known when it is written
 */
public record Envelope(ReleaseRules rules, List<Caveat> caveats, Invocation invocation) {
  /** The envelope of an answer that follows the default rules and was not made by a command. */
  public static final Envelope NONE =
      new Envelope(ReleaseRules.DEFAULT, List.of(), Invocation.NONE);

  /** Copies the list. */
  public Envelope {
    caveats = List.copyOf(caveats);
  }

  /**
   * Adds the conditions under which a sentence holds, in brackets at its end. If it gets too long,
   * they replace trailing details.
   */
  String qualify(String sentence) {
    String conditions =
        caveats.stream()
            .flatMap(caveat -> caveat.condition().stream())
            .distinct()
            .collect(Collectors.joining(", "));
    return conditions.isEmpty()
        ? sentence
        : Sentence.of(
            Stream.of("", " \\([^()]*\\)", ";[^;]*", "[;,][^;]*")
                .map(detail -> sentence.replaceFirst(detail + "\\.?$", " (" + conditions + ")."))
                .filter(qualified -> !qualified.equals(sentence))
                .toList());
  }

  /** Sends the caveats to the messages, one line each. */
  public void report(Consumer<String> messages) {
    caveats.forEach(caveat -> report(caveat, messages));
  }

  /** Sends a caveat to the messages. */
  public static void report(Caveat caveat, Consumer<String> messages) {
    messages.accept(line(caveat));
  }

  /**
   * Adds the caveats as lines or comments to an answer whose format has no fields or columns for
   * them.
   */
  Answer around(Answer answer, String format, Consumer<String> messages) {
    if (format.equals("text")) {
      return followedByNotes(answer);
    }
    if (caveats.isEmpty()) {
      return answer;
    }
    return switch (format) {
      case "tuner" -> before("# ", answer);
      case "xml" -> inRoot(answer);
      case "html" -> answer;
      case "svg" -> {
        report(messages);
        yield inRoot(answer);
      }
      default -> {
        report(messages);
        yield answer;
      }
    };
  }

  private static String line(Caveat caveat) {
    return "caveat: " + OptionWords.of(caveat);
  }

  /**
   * The answer followed by its release, if that is not the default, and its caveats, so that a text
   * begins with the answer.
   */
  private Answer followedByNotes(Answer answer) {
    TextWriter lines = new TextWriter();
    if (!rules.release().equals(ReleaseRules.DEFAULT.release())) {
      lines.line("by the rules of NCCL %s", rules.named());
    }
    caveats.forEach(caveat -> lines.paragraph("not modelled: " + OptionWords.of(caveat), "  "));
    String notes = lines.toString();
    return notes.isEmpty() ? answer : Answer.join(List.of(answer, Answer.of(notes)), "\n");
  }

  private Answer before(String prefix, Answer answer) {
    String lines = QuantityFormat.joined("", caveats, caveat -> prefix + line(caveat) + "\n");
    return Answer.join(List.of(Answer.of(lines), answer), "");
  }

  /**
   * The answer with a comment after the start tag of the root element; NCCL's reader skips
   * comments.
   */
  private Answer inRoot(Answer answer) {
    String comments =
        QuantityFormat.joined(
            "", caveats, caveat -> "\n  <!-- " + line(caveat).replace("--", "- -") + " -->");
    return out -> {
      StringBuilder text = new StringBuilder();
      answer.writeTo(text);
      int end = text.indexOf(">") + 1;
      out.append(text, 0, end).append(comments).append(text, end, text.length());
    };
  }
}
