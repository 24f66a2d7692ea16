package dev.topo.hw.foreign;

import dev.topo.model.io.TextWriter;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * PCI link in the terms of NCCL's topology files.
 *
 * @param speed speed of a lane: {@code 32.0 GT/s PCIe}; empty if unknown
 * @param width number of lanes; 0 if unknown
 */
record PciLink(String speed, int width) {
  static final PciLink UNKNOWN = new PciLink("", 0);

  /**
   * Transfers per second of a lane, in GT/s, by generation from 1 on (PCI Express Base
   * Specification).
   */
  private static final List<Double> GTPS = List.of(2.5, 5.0, 8.0, 16.0, 32.0, 64.0);

  /** Lanes of the widest link. */
  private static final int MAX_LANES = 32;

  private static final List<Integer> WIDTHS = List.of(1, 2, 4, 8, 12, 16, MAX_LANES);

  /** Upper limit on the bandwidth of a link, in GB/s. */
  static final int MAX_GBPS = 256;

  /** Text for the fastest link. */
  static final String FASTEST_TEXT = MAX_LANES + " lanes of 64 GT/s";

  /** First generation with 128b/130b coding; earlier ones use 8b/10b. */
  private static final int FIRST_WITH_128B_130B = 3;

  /**
   * First generation with FLITs, of whose 256 bytes 242 are data; hwloc before 3.0 used 128b/130b
   * for it, too ({@code private/misc.h}).
   */
  private static final int FIRST_WITH_FLITS = 6;

  private static final double TOLERANCE = 0.02;

  /** Link of a generation. */
  static PciLink of(int generation, int width) {
    return new PciLink(TextWriter.format("%.1f GT/s PCIe", GTPS.get(generation - 1)), width);
  }

  /**
   * Returns the link with a bandwidth in GB/s, of several the widest: hwloc states only the product
   * of speed and width, which is also all that NCCL's search uses.
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

  /** Fractions of transferred bits that are data. */
  private static DoubleStream codings(int generation) {
    if (generation < FIRST_WITH_128B_130B) {
      return DoubleStream.of(0.8);
    }
    return generation < FIRST_WITH_FLITS
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
