package dev.topo.fuzz;

import java.io.ByteArrayOutputStream;
import java.util.function.Predicate;

/** Removes parts of an input as long as a property of it stays. */
final class Shrinker {
  private final Predicate<byte[]> fails;
  private int triesLeft;

  /**
   * A shrinker.
   *
   * @param fails the property
   * @param tries most inputs to look at
   */
  Shrinker(Predicate<byte[]> fails, int tries) {
    this.fails = fails;
    this.triesLeft = tries;
  }

  /** An input with the property that is no longer than another one with it. */
  byte[] shrink(byte[] input) {
    byte[] smallest = input;
    for (int part = Math.max(1, input.length / 2); part > 0 && triesLeft > 0; part /= 2) {
      for (int at = 0; at < smallest.length && triesLeft > 0; ) {
        byte[] shorter = without(smallest, at, part);
        triesLeft--;
        if (fails.test(shorter)) {
          smallest = shorter;
        } else {
          at += part;
        }
      }
    }
    return smallest;
  }

  private static byte[] without(byte[] bytes, int from, int length) {
    ByteArrayOutputStream rest = new ByteArrayOutputStream();
    rest.write(bytes, 0, from);
    int to = Math.min(bytes.length, from + length);
    rest.write(bytes, to, bytes.length - to);
    return rest.toByteArray();
  }
}
