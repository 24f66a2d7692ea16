package dev.topo.hw.foreign;

import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * A PCI link as NCCL's topology files state it.
 *
 * @param speed of a lane: {@code 32.0 GT/s PCIe}; empty if not known
 * @param width number of lanes; 0 if not known
 */
record PciLink(String speed, int width) {
  static final PciLink UNKNOWN = new PciLink("", 0);

  /** Transfers a second of a lane by generation, from 1 on (PCI Express Base Specification). */
  private static final List<Double> GTPS = List.of(2.5, 5.0, 8.0, 16.0, 32.0, 64.0);

  /** The widest link. */
  private static final int MOST_LANES = 32;

  private static final List<Integer> WIDTHS = List.of(1, 2, 4, 8, 12, 16, MOST_LANES);

  /** More than the fastest link carries, in GB/s. */
  static final int MOST_GBPS = 256;

  /** The fastest link in words. */
  static final String MOST = MOST_LANES + " lanes of 64 GT/s";

  /** From PCIe 3 on, 128 of 130 bits are data, before 8 of 10. */
  private static final int FIRST_OF_130 = 3;

  /** From PCIe 6 on, 242 of 256 bytes; hwloc before 3.0 did not know ({@code private/misc.h}). */
  private static final int FIRST_OF_256 = 6;

  private static final double TOLERANCE = 0.02;

  /** The link of a generation. */
  static PciLink of(int generation, int width) {
    return new PciLink(
        String.format(Locale.ROOT, "%.1f GT/s PCIe", GTPS.get(generation - 1)), width);
  }

  /**
   * The link of a bandwidth in GB/s, with the most lanes that give it: hwloc has the product of
   * speed and lanes only, as has NCCL's search.
   */
  static PciLink ofBandwidth(double gbps) {
    for (int width = 16; width >= 1; width /= 2) {
      for (int generation = 1; generation <= GTPS.size(); generation++) {
        double raw = GTPS.get(generation - 1) * width / 8;
        if (codings(generation)
            .anyMatch(coding -> Math.abs(gbps / (raw * coding) - 1) < TOLERANCE)) {
          return of(generation, width);
        }
      }
    }
    return UNKNOWN;
  }

  /** The shares of the transferred bits that are data. */
  private static DoubleStream codings(int generation) {
    if (generation < FIRST_OF_130) {
      return DoubleStream.of(0.8);
    }
    return generation < FIRST_OF_256
        ? DoubleStream.of(128.0 / 130)
        : DoubleStream.of(242.0 / 256, 128.0 / 130);
  }

  static boolean isGeneration(int number) {
    return number >= 1 && number <= GTPS.size();
  }

  static boolean isWidth(int lanes) {
    return WIDTHS.contains(lanes);
  }
}
