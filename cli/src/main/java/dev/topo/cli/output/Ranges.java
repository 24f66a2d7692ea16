package dev.topo.cli.output;

import dev.topo.model.QuantityWords;
import java.util.List;

/** Lists of numbers in short: {@code 0-3,7}. */
public final class Ranges {
  private Ranges() {}

  /** The short form of ascending numbers. */
  public static String fold(List<Integer> numbers) {
    return QuantityWords.ranges(numbers);
  }
}
