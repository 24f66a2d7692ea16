package dev.topo.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Damages text: moves parts of it, and inserts what a parser may not expect. */
final class TextMutator implements Mutator {
  private static final Pattern TOKEN = Pattern.compile("[\\w.+-]+");
  private static final Pattern NUMBER = Pattern.compile("[0-9]+(\\.[0-9]+)?");
  private static final int MOST_CHANGES = 3;

  private static final List<String> NUMBERS =
      List.of(
          "",
          "0",
          "-0",
          "-1",
          "1",
          "7",
          "255",
          "4096",
          "65536",
          "2147483647",
          "2147483648",
          "-2147483648",
          "4294967296",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775808",
          "18446744073709551615",
          "99999999999999999999",
          "1e9",
          "1e308",
          "1e999",
          "-1e999",
          "4.9e-324",
          "0.1",
          "1.",
          ".5",
          "NaN",
          "Infinity",
          "-Infinity",
          "inf",
          "0x10",
          "0x7fffffffffffffff",
          "010",
          "+5",
          "1_000",
          "1,5",
          "1K",
          "8E",
          "1f",
          "1d",
          "\u0663",
          "\u00b2");

  private static final List<String> PIECES =
      List.of(
          "\u0000",
          "\u0007",
          "\b",
          "\u001b[31m",
          "\u001b[2J",
          "\u001b]0;title\u0007",
          "\u009b2J",
          "\u007f",
          "\u0085",
          "\u2028",
          "\u202e",
          "\u2066",
          "\u200f",
          "\u200b",
          "\ufeff",
          "\ufffd",
          "\ud83d\ude00",
          "\ud800",
          "\u00e9",
          "e\u0301",
          "\u00a0",
          "\u0130",
          "\"",
          "\"\"",
          "'",
          "`",
          "\\",
          "\\u0000",
          "\\n",
          "\"\n\"",
          "%s",
          "%n",
          "%",
          "$",
          "${x}",
          "$(x)",
          "{",
          "}",
          "{}",
          "[",
          "]",
          "[]",
          "[0-3",
          "[3-0]",
          "[0-99999999]",
          "(",
          ")",
          "<",
          "</",
          "/>",
          "<!--",
          "-->",
          "]]>",
          "<![CDATA[",
          "<?xml version=\"1.0\" encoding=\"UTF-16\"?>",
          "<!DOCTYPE a [<!ENTITY b \"c\">]>",
          "&",
          "&amp;",
          "&#10;",
          "&#27;",
          "&lt;",
          "#",
          ";",
          ";;",
          ",",
          ",,",
          ":",
          "::",
          "=",
          "==",
          "*",
          "*2",
          "?",
          "@",
          "^",
          "!",
          "/",
          "..",
          "../x",
          "--",
          "-",
          "|",
          " ",
          "  ",
          "\t",
          "\n",
          "\n\n",
          "\r",
          "\r\n",
          "\f",
          "\u000b",
          "null",
          "true",
          "\"a\": 1",
          "all",
          "none",
          "each",
          "\u0001".repeat(40),
          "x".repeat(300),
          "x".repeat(20_000),
          "9".repeat(400),
          "-".repeat(300),
          "a,".repeat(2_000),
          "[".repeat(3_000),
          "{\"a\":".repeat(1_500),
          "<a>".repeat(1_500),
          "(".repeat(3_000));

  private final boolean encoded;

  /**
   * A mutator.
   *
   * @param encoded whether the text is that of a file, which may have any encoding
   */
  TextMutator(boolean encoded) {
    this.encoded = encoded;
  }

  @Override
  public byte[] mutate(byte[] seed, Random random) {
    String text = new String(seed, StandardCharsets.UTF_8);
    for (int changes = changes(random); changes > 0; changes--) {
      text = change(text, random);
    }
    return encoded ? encode(text, random) : text.getBytes(StandardCharsets.UTF_8);
  }

  /** One change mostly: several rarely leave an input that is accepted. */
  private static int changes(Random random) {
    return random.nextInt(3) == 0 ? 1 + random.nextInt(MOST_CHANGES) : 1;
  }

  private static String change(String text, Random random) {
    int length = text.length();
    int from = random.nextInt(length + 1);
    int to = Math.min(length, from + random.nextInt(random.nextInt(8) == 0 ? 400 : 8));
    return switch (random.nextInt(20)) {
      case 0 -> text.substring(0, from) + text.substring(to);
      case 1 -> text.substring(0, to) + text.substring(from, to) + text.substring(to);
      case 2 -> text.substring(0, from);
      case 3 -> text.substring(from);
      case 4, 5 -> changeLines(text, random);
      case 6 -> swapTokens(text, random);
      case 7, 8, 9 -> replace(TOKEN, text, piece(random), random);
      case 10, 11, 12, 13 -> replace(NUMBER, text, any(NUMBERS, random), random);
      case 14 -> replace(TOKEN, text, any(NUMBERS, random), random);
      case 15 -> text.substring(0, from) + any(NUMBERS, random) + text.substring(from);
      case 16 -> random.nextInt(4) == 0 ? text.replace("\n", "\r\n") : text + piece(random);
      default -> text.substring(0, from) + piece(random) + text.substring(from);
    };
  }

  private static String piece(Random random) {
    return any(PIECES, random);
  }

  private static String any(List<String> list, Random random) {
    return list.get(random.nextInt(list.size()));
  }

  /** Drops, doubles or swaps lines. */
  private static String changeLines(String text, Random random) {
    List<String> lines = new ArrayList<>(List.of(text.split("(?<=\n)", -1)));
    int at = random.nextInt(lines.size());
    int other = random.nextInt(lines.size());
    switch (random.nextInt(3)) {
      case 0 -> lines.remove(at);
      case 1 -> lines.add(other, lines.get(at));
      default -> Collections.swap(lines, at, other);
    }
    return String.join("", lines);
  }

  private static String swapTokens(String text, Random random) {
    List<MatchResult> tokens = TOKEN.matcher(text).results().toList();
    if (tokens.size() < 2) {
      return text + text;
    }
    MatchResult from = tokens.get(random.nextInt(tokens.size()));
    MatchResult to = tokens.get(random.nextInt(tokens.size()));
    return text.substring(0, to.start()) + from.group() + text.substring(to.end());
  }

  private static String replace(Pattern part, String text, String by, Random random) {
    List<MatchResult> parts = part.matcher(text).results().toList();
    if (parts.isEmpty()) {
      return text + by;
    }
    MatchResult chosen = parts.get(random.nextInt(parts.size()));
    return text.substring(0, chosen.start()) + by + text.substring(chosen.end());
  }

  private static byte[] encode(String text, Random random) {
    byte[] bytes =
        switch (random.nextInt(60)) {
          case 0 -> text.getBytes(StandardCharsets.UTF_16);
          case 1 -> text.getBytes(StandardCharsets.UTF_16LE);
          case 2 -> (text + "\u00e9\u00ff").getBytes(StandardCharsets.ISO_8859_1);
          case 3 -> ("\ufeff" + text).getBytes(StandardCharsets.UTF_8);
          default -> text.getBytes(StandardCharsets.UTF_8);
        };
    if (bytes.length > 0 && random.nextInt(20) == 0) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }
}
