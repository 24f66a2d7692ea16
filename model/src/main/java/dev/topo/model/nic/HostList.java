package dev.topo.model.nic;

import java.util.ArrayList;
import java.util.List;

/**
 * Lists of host names as Slurm writes them, {@code node[01-03,7],login} (the form of {@code
 * scontrol show hostnames}).
 */
public final class HostList {
  /**
   * More hosts than any job has; a typing mistake such as {@code [0-999999999]} would exhaust
   * memory.
   */
  private static final int MAX_HOSTS = 1_000_000;

  private HostList() {}

  /**
   * The names in a list, in order.
   *
   * @throws IllegalArgumentException if brackets or ranges are malformed
   */
  public static List<String> expand(String text) {
    List<String> names = new ArrayList<>();
    for (String entry : splitOutsideBrackets(text)) {
      expandEntry("", entry, names);
    }
    return names;
  }

  private static List<String> splitOutsideBrackets(String text) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i <= text.length(); i++) {
      char c = i == text.length() ? ',' : text.charAt(i);
      if (c == '[') {
        depth++;
      } else if (c == ']') {
        depth--;
      } else if (c == ',' && (depth == 0 || i == text.length())) {
        String part = text.substring(start, i).strip();
        if (!part.isEmpty()) {
          parts.add(part);
        }
        start = i + 1;
      }
    }
    if (depth != 0) {
      throw new IllegalArgumentException("'" + text + "': brackets do not match");
    }
    return parts;
  }

  /** Expands the first bracket of an entry, then the rest of the entry. */
  private static void expandEntry(String prefix, String entry, List<String> names) {
    int open = entry.indexOf('[');
    if (open < 0) {
      if (names.size() >= MAX_HOSTS) {
        throw new IllegalArgumentException("more than " + MAX_HOSTS + " hosts");
      }
      names.add(prefix + entry);
      return;
    }
    int close = entry.indexOf(']', open);
    if (close < 0) {
      throw new IllegalArgumentException("'" + entry + "': brackets do not match");
    }
    String before = prefix + entry.substring(0, open);
    String rest = entry.substring(close + 1);
    for (String range : entry.substring(open + 1, close).split(",", -1)) {
      expandRange(before, range, rest, names);
    }
  }

  private static void expandRange(String before, String range, String rest, List<String> names) {
    String[] ends = range.split("-", -1);
    String first = ends[0].strip();
    String last = ends[ends.length - 1].strip();
    try {
      long from = Long.parseLong(first);
      long to = Long.parseLong(last);
      if (ends.length > 2 || to < from || to - from >= MAX_HOSTS) {
        throw new IllegalArgumentException("'[" + range + "]' is not a range such as 0-15");
      }
      for (long number = from; number <= to; number++) {
        String digits = String.valueOf(number);
        expandEntry(
            before + "0".repeat(Math.max(0, first.length() - digits.length())) + digits,
            rest,
            names);
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'[" + range + "]' is not a range such as 0-15", e);
    }
  }

  /**
   * Abbreviates names in the given order: consecutive numbers become a range, {@code
   * node[01-03,07],login}.
   */
  public static String fold(List<String> names) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < names.size(); ) {
      String prefix = prefix(names.get(i));
      List<String> ranges = new ArrayList<>();
      int at = i;
      while (at < names.size()
          && prefix(names.get(at)).equals(prefix)
          && !number(names.get(at)).isEmpty()) {
        int end = at;
        while (end + 1 < names.size() && isNext(names.get(end), names.get(end + 1))) {
          end++;
        }
        ranges.add(
            at == end
                ? number(names.get(at))
                : number(names.get(at)) + "-" + number(names.get(end)));
        at = end + 1;
      }
      boolean single = ranges.isEmpty() || at == i + 1;
      parts.add(single ? names.get(i) : prefix + "[" + String.join(",", ranges) + "]");
      i = single ? i + 1 : at;
    }
    return String.join(",", parts);
  }

  private static String prefix(String name) {
    int end = name.length();
    while (end > 0 && Character.isDigit(name.charAt(end - 1))) {
      end--;
    }
    return name.substring(0, end);
  }

  private static String number(String name) {
    String digits = name.substring(prefix(name).length());
    return digits.length() > 9 ? "" : digits;
  }

  private static boolean isNext(String a, String b) {
    String first = number(a);
    String second = number(b);
    boolean alike =
        prefix(a).equals(prefix(b)) && !first.isEmpty() && first.length() <= second.length();
    return alike
        && (first.length() == second.length() || first.charAt(0) != '0')
        && !second.isEmpty()
        && Integer.parseInt(second) == Integer.parseInt(first) + 1;
  }
}
