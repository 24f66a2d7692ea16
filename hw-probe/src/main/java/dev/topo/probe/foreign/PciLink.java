package dev.topo.probe.foreign;

import java.util.List;
import java.util.Locale;

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

  /** From PCIe 3 on, 128 of 130 bits are data, before 8 of 10. */
  private static final int FIRST_OF_130 = 3;

  private static final double TOLERANCE = 0.02;

  /** The link of a generation. */
  static PciLink of(int generation, int width) {
    return generation < 1 || generation > GTPS.size()
        ? UNKNOWN
        : new PciLink(
            String.format(Locale.ROOT, "%.1f GT/s PCIe", GTPS.get(generation - 1)), width);
  }

  /**
   * The link of a bandwidth in GB/s, with the most lanes that give it: hwloc has the product of
   * speed and lanes only, as has NCCL's search.
   */
  static PciLink ofBandwidth(double gbps) {
    for (int width = 16; width >= 1; width /= 2) {
      for (int generation = 1; generation <= GTPS.size(); generation++) {
        double coding = generation < FIRST_OF_130 ? 0.8 : 128.0 / 130;
        double expected = GTPS.get(generation - 1) * coding * width / 8;
        if (Math.abs(gbps / expected - 1) < TOLERANCE) {
          return of(generation, width);
        }
      }
    }
    return UNKNOWN;
  }
}
