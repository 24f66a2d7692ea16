package dev.topo.cli.output;

import java.util.ArrayList;
import java.util.List;

/** Lists of numbers in short: {@code 0-3,7}. */
public final class Ranges {
  private Ranges() {}

  /** The short form of ascending numbers. */
  public static String fold(List<Integer> numbers) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < numbers.size(); ) {
      int end = i;
      while (end + 1 < numbers.size() && numbers.get(end + 1) == numbers.get(end) + 1) {
        end++;
      }
      parts.add(
          end == i ? String.valueOf(numbers.get(i)) : numbers.get(i) + "-" + numbers.get(end));
      i = end + 1;
    }
    return String.join(",", parts);
  }
}
