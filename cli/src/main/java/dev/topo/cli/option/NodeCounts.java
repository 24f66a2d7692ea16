package dev.topo.cli.option;

import dev.topo.model.job.Job;
import dev.topo.model.job.SettingException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Numbers of nodes as the user gives them: {@code 4}, {@code 1,2,4,8} or {@code 1:1024:2}. */
final class NodeCounts {
  static final int MAX = Job.MOST_MACHINES;

  private NodeCounts() {}

  /**
   * The numbers in ascending order, each once.
   *
   * @throws SettingException if the text is none of the three forms
   */
  static List<Integer> parse(String text) {
    String[] range = text.split(":", -1);
    if (range.length == 1) {
      TreeSet<Integer> counts = new TreeSet<>();
      for (String number : text.split(",", -1)) {
        counts.add(number(text, number));
      }
      return List.copyOf(counts);
    }
    int first = number(text, range[0]);
    int last = number(text, range[1]);
    int factor = range.length > 2 ? number(text, range[2]) : 2;
    if (range.length > 3 || factor < 2 || last < first) {
      throw unexpected(text);
    }
    List<Integer> counts = new ArrayList<>();
    for (long count = first; count <= last; count *= factor) {
      counts.add((int) count);
    }
    return counts;
  }

  private static int number(String text, String number) {
    try {
      int count = Integer.parseInt(number.strip());
      if (count >= 1 && count <= MAX) {
        return count;
      }
    } catch (NumberFormatException e) {
      // The message says what was expected.
    }
    throw unexpected(text);
  }

  private static SettingException unexpected(String text) {
    return new SettingException(
        "--nodes %s: expected a number from 1 to %d, several as in 1,2,4,8, or first:last:factor as in 1:1024:2"
            .formatted(text, MAX));
  }
}
