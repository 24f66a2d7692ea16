package dev.topo.fuzz;

import java.util.Arrays;
import java.util.Random;

/** Damages a binary input in up to three places: other bytes, a part removed or twice, its end. */
final class ByteMutator implements Mutator {
  private static final int MOST_DAMAGES = 3;
  private static final int LONGEST_PART = 64;

  @Override
  public byte[] mutate(byte[] seed, Random random) {
    byte[] damaged = seed;
    for (int i = random.nextInt(MOST_DAMAGES + 1); i > 0 && damaged.length > 1; i--) {
      damaged = damage(damaged, random);
    }
    return damaged;
  }

  private static byte[] damage(byte[] input, Random random) {
    int at = random.nextInt(input.length);
    int length = Math.min(input.length - at, 1 + random.nextInt(LONGEST_PART));
    switch (random.nextInt(4)) {
      case 0 -> {
        byte[] other = input.clone();
        other[at] = (byte) random.nextInt(256);
        return other;
      }
      case 1 -> {
        return Arrays.copyOf(input, at);
      }
      case 2 -> {
        return joined(input, at, at + length);
      }
      default -> {
        return joined(input, at + length, at);
      }
    }
  }

  /** The input up to a place, then from another one on. */
  private static byte[] joined(byte[] input, int end, int start) {
    byte[] joined = Arrays.copyOf(input, end + input.length - start);
    System.arraycopy(input, start, joined, end, input.length - start);
    return joined;
  }
}
