package dev.topo.inspect.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * List of numbers in PyTorch's text form, {@code [0, 1]}. Of more than 30 numbers only the first
 * ones are written, {@code [0, 1, ...]} ({@code torch/csrc/profiler/util.cpp}).
 *
 * @param numbers the numbers in the text
 * @param isCut whether there are more
 */
record NumberList(List<Long> numbers, boolean isCut) {
  private static final String CUT = "...";

  /** Most digits of a number before it is compared. */
  private static final int MOST_DIGITS = 18;

  NumberList {
    numbers = List.copyOf(numbers);
  }

  /**
   * Parses a text; an empty one is a list without numbers.
   *
   * @param most the largest number
   * @return empty if the text is not a list of numbers from 0 to the largest one
   */
  static Optional<NumberList> parse(String text, long most) {
    String plain = text.strip();
    if (plain.isEmpty() || plain.equals("[]")) {
      return Optional.of(new NumberList(List.of(), false));
    }
    if (!plain.startsWith("[") || !plain.endsWith("]")) {
      return Optional.empty();
    }
    List<Long> numbers = new ArrayList<>();
    boolean isCut = false;
    for (String part : plain.substring(1, plain.length() - 1).split(",", -1)) {
      String number = part.strip();
      if (number.equals(CUT)) {
        isCut = true;
      } else if (isNumber(number) && Long.parseLong(number) <= most) {
        numbers.add(Long.parseLong(number));
      } else {
        return Optional.empty();
      }
    }
    return Optional.of(new NumberList(numbers, isCut));
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty()
        && text.length() <= MOST_DIGITS
        && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /** Numbers as distinct ranks; empty if one occurs twice. */
  Optional<List<Integer>> ranks() {
    return numbers.stream().distinct().count() == numbers.size()
        ? Optional.of(numbers.stream().map(Long::intValue).toList())
        : Optional.empty();
  }
}
