package dev.topo.inspect.lint;

import java.util.ArrayList;
import java.util.List;

/** What changed between two texts, line by line. */
public final class LineChanges {
  /** Above this many comparisons all lines between the first and the last change are shown. */
  private static final long MOST_COMPARISONS = 4_000_000;

  private LineChanges() {}

  /** The lines that go ({@code -}) and that come ({@code +}), each with its number. */
  public static String of(String before, String after) {
    List<String> a = before.lines().toList();
    List<String> b = after.lines().toList();
    int start = 0;
    while (start < Math.min(a.size(), b.size()) && a.get(start).equals(b.get(start))) {
      start++;
    }
    int endA = a.size();
    int endB = b.size();
    while (endA > start && endB > start && a.get(endA - 1).equals(b.get(endB - 1))) {
      endA--;
      endB--;
    }
    List<String> out = new ArrayList<>();
    changes(a.subList(start, endA), b.subList(start, endB), start, out);
    StringBuilder text = new StringBuilder();
    out.forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }

  private static void changes(List<String> a, List<String> b, int start, List<String> out) {
    int[][] common = commonLines(a, b);
    int i = 0;
    int j = 0;
    while (i < a.size() || j < b.size()) {
      if (i < a.size() && j < b.size() && common.length > 0 && a.get(i).equals(b.get(j))) {
        i++;
        j++;
      } else if (j >= b.size()
          || (i < a.size() && (common.length == 0 || common[i + 1][j] >= common[i][j + 1]))) {
        out.add("-" + (start + i + 1) + " " + a.get(i));
        i++;
      } else {
        out.add("+" + (start + j + 1) + " " + b.get(j));
        j++;
      }
    }
  }

  /** Length of the longest common run of lines from each pair of lines on; empty if too long. */
  private static int[][] commonLines(List<String> a, List<String> b) {
    if ((long) a.size() * b.size() > MOST_COMPARISONS) {
      return new int[0][0];
    }
    int[][] common = new int[a.size() + 1][b.size() + 1];
    for (int i = a.size() - 1; i >= 0; i--) {
      for (int j = b.size() - 1; j >= 0; j--) {
        common[i][j] =
            a.get(i).equals(b.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    return common;
  }
}
