package dev.topo.hw.run;

import java.util.ArrayList;
import java.util.List;

/**
 * Sizes of a run.
 *
 * @param maxBytes upper limit of the sizes
 * @param stepBytes increment between sizes, if the factor is 1
 * @param factor ratio of consecutive sizes, if above 1
 */
public record SizeSweep(long minBytes, long maxBytes, long stepBytes, long factor) {
  public SizeSweep {
    if (minBytes < 0 || maxBytes < minBytes) {
      throw new IllegalArgumentException(
          "sizes from %s to %s bytes: expected the first not above the last"
              .formatted(minBytes, maxBytes));
    }
    if (factor < 1 || factor == 1 && stepBytes < 1) {
      throw new IllegalArgumentException(
          "size step %s, factor %s: expected a step or a factor above 1"
              .formatted(stepBytes, factor));
    }
    if (factor > 1 && minBytes == 0 && maxBytes > 0) {
      throw new IllegalArgumentException(
          "sizes from 0 with a factor: expected a first size above 0");
    }
  }

  public List<Long> sizes() {
    List<Long> sizes = new ArrayList<>();
    for (long size = minBytes; size <= maxBytes && size >= 0; size = next(size)) {
      sizes.add(size);
      if (size == maxBytes) {
        break;
      }
    }
    return sizes;
  }

  private long next(long size) {
    return factor > 1 ? size * factor : size + stepBytes;
  }

  /** Sizes of the warm-up calls: powers of two times the first size. */
  List<Long> warmUpSizes() {
    if (minBytes == 0) {
      return List.of(0L);
    }
    return new SizeSweep(minBytes, maxBytes, 0, 2).sizes();
  }

  /** This sweep with both ends limited to {@code limitBytes}. */
  SizeSweep upTo(long limitBytes) {
    return new SizeSweep(
        Math.min(minBytes, limitBytes), Math.min(maxBytes, limitBytes), stepBytes, factor);
  }
}
