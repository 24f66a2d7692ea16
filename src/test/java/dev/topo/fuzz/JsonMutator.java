package dev.topo.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * JSON whose structure is hostile: values nested deep or put into themselves, members and elements
 * that are there again and again, several documents, and content behind them.
 */
final class JsonMutator implements Mutator {
  private static final int MOST = 20_000;
  private static final Pattern VALUE = Pattern.compile("(?<=: ?)(\"[^\"]*\"|[-\\d.]+)");
  private static final Pattern MEMBER = Pattern.compile("\"[\\w ]+\": ?(\"[^\"]*\"|[-\\d.]+),");
  private static final Pattern OBJECT = Pattern.compile("\\{[^{}]*(\\{[^{}]*\\})?[^{}]*\\}");

  @Override
  public byte[] mutate(byte[] seed, Random random) {
    String text = new String(seed, StandardCharsets.UTF_8);
    String damaged =
        switch (random.nextInt(9)) {
          case 0 -> replaced(VALUE, text, deep(random), random);
          case 1 -> replaced(VALUE, text, text.strip(), random);
          case 2 -> again(MEMBER, text, "", random);
          case 3 -> again(OBJECT, text, ",", random);
          case 4 -> text + " ".repeat(random.nextInt(MOST)) + text;
          case 5 -> text + tail(random);
          case 6 -> deep(random);
          case 7 -> "[".repeat(random.nextInt(3)) + text + ",".repeat(random.nextInt(2)) + text;
          default -> replaced(VALUE, text, "\"" + "x".repeat(random.nextInt(MOST)) + "\"", random);
        };
    return damaged.getBytes(StandardCharsets.UTF_8);
  }

  private static String deep(Random random) {
    int depth = 1 + random.nextInt(random.nextBoolean() ? 300 : MOST);
    boolean isClosed = random.nextInt(4) > 0;
    return random.nextBoolean()
        ? "[".repeat(depth) + (isClosed ? "]".repeat(depth) : "")
        : "{\"args\":".repeat(depth) + "0" + (isClosed ? "}".repeat(depth) : "");
  }

  private static String tail(Random random) {
    return List.of("\n\r\t ", "{}", "[]", "null", "0", "\u0000", "\ufeff", "}", "\"", "//", "]]")
        .get(random.nextInt(11));
  }

  private static String replaced(Pattern part, String text, String by, Random random) {
    List<MatchResult> parts = part.matcher(text).results().toList();
    if (parts.isEmpty()) {
      return text + by;
    }
    MatchResult one = parts.get(random.nextInt(parts.size()));
    return text.substring(0, one.start()) + by + text.substring(one.end());
  }

  private static String again(Pattern part, String text, String separator, Random random) {
    List<MatchResult> parts = part.matcher(text).results().toList();
    if (parts.isEmpty()) {
      return text + text;
    }
    MatchResult one = parts.get(random.nextInt(parts.size()));
    String copies =
        (one.group() + separator)
            .repeat(1 + random.nextInt(Math.max(1, MOST / one.group().length())));
    return text.substring(0, one.start()) + copies + text.substring(one.start());
  }
}
