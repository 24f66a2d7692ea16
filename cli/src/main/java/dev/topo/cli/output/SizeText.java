package dev.topo.cli.output;

import dev.topo.model.QuantityWords;

/** Sizes in bytes for people, in powers of 1024. */
public final class SizeText {
  private SizeText() {}

  /** A size to a tenth of its unit: {@code 64 KiB}, {@code 138.4 KiB}. */
  public static String of(long bytes) {
    return QuantityWords.size(bytes);
  }
}
