package dev.topo.fuzz;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What holds for each call of the command, whatever its input is. */
enum Rule {
  /** The exit status is 0, 1, 2, 3 or 4, and nothing is thrown. */
  STATUS {
    @Override
    Optional<String> broken(Call call) {
      if (call.thrown().isPresent()) {
        Throwable thrown = call.thrown().get();
        return Optional.of(
            Stream.of(thrown.getStackTrace())
                .limit(MOST_FRAMES)
                .map(frame -> " at " + frame)
                .collect(Collectors.joining("", thrown.toString(), "")));
      }
      return call.status() >= 0 && call.status() <= 4
          ? Optional.empty()
          : Optional.of("status " + call.status() + ": " + call.err().strip());
    }
  },

  /** No stack trace is shown. */
  NO_STACK_TRACE {
    @Override
    Optional<String> broken(Call call) {
      return first(STACK_TRACE, call.err()).or(() -> first(STACK_TRACE, call.out()));
    }
  },

  /** A call that fails says why. */
  HAS_MESSAGE {
    @Override
    Optional<String> broken(Call call) {
      return call.status() >= 2 && call.status() <= 4 && call.err().isBlank()
          ? Optional.of("status " + call.status() + " without a message")
          : Optional.empty();
    }
  },

  /** Each message of a call that fails is one line. */
  ONE_LINE {
    @Override
    Optional<String> broken(Call call) {
      if (call.status() < 2 || call.status() > 4) {
        return Optional.empty();
      }
      return call.err()
          .lines()
          .filter(line -> !MESSAGE.matcher(line).matches())
          .findFirst()
          .map(line -> "not the first line of a message: " + line);
    }
  },

  /** What a terminal would obey, or what changes the direction of text, is not written. */
  NO_CONTROL_CHARACTERS {
    @Override
    Optional<String> broken(Call call) {
      return first(CONTROL, call.err())
          .map(found -> "stderr has " + found)
          .or(() -> first(CONTROL, call.out()).map(found -> "stdout has " + found));
    }
  };

  private static final int MOST_FRAMES = 15;

  private static final Pattern STACK_TRACE =
      Pattern.compile("(?m)^\\s+at [\\w.$/]+\\([^)]*\\)$|^Caused by: .*$|^Exception in thread .*$");

  /** Messages begin with the name of the command; picocli adds what might have been meant. */
  private static final Pattern MESSAGE =
      Pattern.compile("(?s)topo: .*|Possible solutions: .*|Did you mean: .*");

  private static final Pattern CONTROL =
      Pattern.compile(
          ".{0,30}(?!\r\n)[\\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f&&[^\n\t]].{0,20}");

  /** How a call breaks the rule; empty if it does not. */
  abstract Optional<String> broken(Call call);

  /**
   * Failures of one kind are one defect, if the command is the same. A bug differs from another by
   * its words, whatever names and numbers are in them.
   */
  String kind(String how) {
    if (this != STATUS) {
      return toString();
    }
    String words =
        how.replaceAll("(?s) at .*|[^\\x20-\\x7e]", "")
            .replaceAll("\"[^\"]*\"|'[^']*'|/\\S+|\\d+", "_");
    return words.substring(0, Math.min(80, words.length()));
  }

  /** The rule as a failure names it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static Optional<String> first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? Optional.of(matcher.group()) : Optional.empty();
  }
}
