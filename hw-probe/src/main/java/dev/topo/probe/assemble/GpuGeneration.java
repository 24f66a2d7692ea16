package dev.topo.probe.assemble;

import java.util.Optional;

/**
 * Compute capability by PCI device id, for GPUs whose driver is not there to ask. NVIDIA numbers
 * its devices chip by chip; the ranges are those of the public PCI id database (pci-ids.ucw.cz,
 * 10de).
 */
enum GpuGeneration {
  GP100(0x15f0, 0x15ff, 60),
  GP10X(0x1b00, 0x1d7f, 61),
  GV100(0x1d80, 0x1dff, 70),
  TU10X(0x1e00, 0x1fff, 75),
  GA100(0x2080, 0x20ff, 80),
  TU11X(0x2180, 0x21ff, 75),
  GA102(0x2200, 0x22ff, 86),
  GH100(0x2300, 0x23ff, 90),
  GA10X(0x2400, 0x25ff, 86),
  AD10X(0x2600, 0x28ff, 89),
  GB100(0x2900, 0x29ff, 100),
  GB20X(0x2b00, 0x2dff, 120),
  GB110(0x3180, 0x31ff, 103);

  private final int first;
  private final int last;
  private final int sm;

  GpuGeneration(int first, int last, int sm) {
    this.first = first;
    this.last = last;
    this.sm = sm;
  }

  /** The compute capability of a device id of sysfs, {@code 90} for {@code 0x2335}. */
  static Optional<Integer> sm(String deviceId) {
    int id;
    try {
      id = Integer.decode(deviceId);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
    for (GpuGeneration generation : values()) {
      if (id >= generation.first && id <= generation.last) {
        return Optional.of(generation.sm);
      }
    }
    return Optional.empty();
  }
}
