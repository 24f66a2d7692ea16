package dev.topo.inspect.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * List of numbers in PyTorch's text form, {@code [0, 1]}. PyTorch writes only the first 30 numbers
 * of a longer list, {@code [0, 1, ...]} ({@code torch/csrc/profiler/util.cpp}).
 *
 * @param numbers the numbers in the text
 * @param isCut whether there are more
 */
record NumberList(List<Long> numbers, boolean isCut) {
  private static final String ELLIPSIS = "...";

  /** Maximum number of digits, so that each number fits into a long. */
  private static final int MAX_DIGITS = 18;

  NumberList {
    numbers = List.copyOf(numbers);
  }

  /**
   * Parses a text; an empty one is a list without numbers.
   *
   * @param max the largest number
   * @return empty if the text is not a list of numbers from 0 to the largest one
   */
  static Optional<NumberList> parse(String text, long max) {
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
      if (number.equals(ELLIPSIS)) {
        isCut = true;
      } else if (isNumber(number) && Long.parseLong(number) <= max) {
        numbers.add(Long.parseLong(number));
      } else {
        return Optional.empty();
      }
    }
    return Optional.of(new NumberList(numbers, isCut));
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_DIGITS
        && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /** The numbers as ranks; empty if a number is repeated. */
  Optional<List<Integer>> ranks() {
    return numbers.stream().distinct().count() == numbers.size()
        ? Optional.of(numbers.stream().map(Long::intValue).toList())
        : Optional.empty();
  }
}
