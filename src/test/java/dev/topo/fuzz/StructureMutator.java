package dev.topo.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Damages the structure of a text: its parts doubled, within themselves, nested deeply, moved, and
 * more behind its end. Parts are the elements of XML, and the lines and words of other text. One
 * case in three is damaged as any text, too.
 */
final class StructureMutator implements Mutator {
  private static final Pattern TAG = Pattern.compile("<(/?)(\\w+)([^<>]*)>");
  private static final Mutator TEXT = new TextMutator(true);
  private static final int DEEPEST = 3_000;
  private static final int LONGEST = 20_000;

  private static final List<String> TAILS =
      List.of(
          " \n\n",
          "<!-- end -->\n",
          "end",
          "\u0000\u0000\u0000",
          "<a/>",
          "<topology/>",
          "<system version=\"1\"/>",
          "]]>",
          "{}",
          "\u001f\u008b\b");

  /** An element: from its start tag to behind its end tag. */
  private record Part(int start, int inside, int end, int behind) {}

  @Override
  public byte[] mutate(byte[] seed, Random random) {
    String text = new String(seed, StandardCharsets.UTF_8);
    if (random.nextInt(8) == 0) {
      text += random.nextBoolean() ? text : TAILS.get(random.nextInt(TAILS.size()));
    } else {
      text = text.stripLeading().startsWith("<") ? xml(text, random) : table(text, random);
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return random.nextInt(3) == 0 ? TEXT.mutate(bytes, random) : bytes;
  }

  private static String xml(String text, Random random) {
    List<Part> parts = parts(text);
    if (parts.isEmpty()) {
      return text + text;
    }
    Part part = parts.get(random.nextInt(parts.size()));
    Part other = parts.get(random.nextInt(parts.size()));
    String whole = text.substring(part.start, part.behind);
    String inner = text.substring(part.inside, part.end);
    String before = text.substring(0, part.start);
    String after = text.substring(part.behind);
    String opening = text.substring(part.start, part.inside);
    String closing = text.substring(part.end, part.behind);
    return switch (random.nextInt(5)) {
      case 0 -> before + whole + whole + after;
      case 1 -> before + opening + inner + whole + closing + after;
      case 2 -> inserted(text, other.end, whole);
      case 3 -> {
        int deep = 1 + random.nextInt(random.nextInt(4) == 0 ? DEEPEST : 10);
        yield before + opening.repeat(deep) + inner + closing.repeat(deep) + after;
      }
      default -> before + whole.repeat(1 + random.nextInt(50)) + after;
    };
  }

  private static String inserted(String text, int at, String part) {
    return text.substring(0, at) + part + text.substring(at);
  }

  /** The elements that have an end tag. */
  private static List<Part> parts(String text) {
    List<Part> parts = new ArrayList<>();
    Deque<int[]> open = new ArrayDeque<>();
    Matcher tag = TAG.matcher(text);
    while (tag.find()) {
      if (tag.group(1).isEmpty() && !tag.group(3).endsWith("/")) {
        open.push(new int[] {tag.start(), tag.end()});
      } else if (!tag.group(1).isEmpty() && !open.isEmpty()) {
        int[] start = open.pop();
        parts.add(new Part(start[0], start[1], tag.start(), tag.end()));
      }
    }
    return parts;
  }

  private static String table(String text, Random random) {
    List<String> lines = new ArrayList<>(Arrays.asList(text.split("(?<=\n)")));
    int at = random.nextInt(lines.size());
    int other = random.nextInt(lines.size());
    switch (random.nextInt(5)) {
      case 0 -> lines.add(other, lines.get(at));
      case 1 -> lines.set(other, lines.get(at));
      case 2 -> lines.set(at, words(lines.get(at), random));
      case 3 -> lines.replaceAll(line -> column(line, at, other));
      default -> lines.set(at, lines.get(at).repeat(1 + random.nextInt(300)));
    }
    return String.join("", lines);
  }

  /** A line with one of its words many times, elsewhere or without it. */
  private static String words(String line, Random random) {
    List<String> words = new ArrayList<>(Arrays.asList(line.split("(?<=[\\s,])")));
    int at = random.nextInt(words.size());
    String word = words.get(at);
    switch (random.nextInt(3)) {
      case 0 -> words.set(at, word.strip().concat(",").repeat(1 + random.nextInt(LONGEST)));
      case 1 -> words.remove(at);
      default -> words.add(random.nextInt(words.size()), word);
    }
    return String.join("", words);
  }

  /** A line with one column in the place of another. */
  private static String column(String line, int from, int to) {
    String[] words = line.split("(?<=\\s)");
    if (from < words.length && to < words.length) {
      words[to] = words[from];
    }
    return String.join("", words);
  }
}
