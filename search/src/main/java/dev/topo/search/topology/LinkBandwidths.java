package dev.topo.search.topology;

import dev.topo.model.node.CpuModel;
import dev.topo.model.node.CpuNode;

/**
 * What NCCL assumes a link carries, in GB/s and per direction ({@code nccl:src/graph/topo.h} and
 * {@code topo.cc}, NCCL 2.28.9). These are NCCL's planning numbers, not measurements.
 */
public final class LinkBandwidths {
  /** Inside one node, and from a CPU to a virtual NIC ({@code LOC_BW}). */
  public static final float LOCAL = 5000.0f;

  private static final double MBPS_PER_GBPS = 8000;
  private static final int DEFAULT_NET_MBPS = 10_000;
  private static final int DEFAULT_PCI_WIDTH = 16;

  /**
   * Hundreds of Mb/s per PCI lane by the speed that sysfs states; NCCL compares the beginning, in
   * this order.
   */
  private static final PciSpeed[] PCI_SPEEDS = {
    new PciSpeed("2.5 GT/s", 15),
    new PciSpeed("5 GT/s", 30),
    new PciSpeed("8 GT/s", 60),
    new PciSpeed("16 GT/s", 120),
    new PciSpeed("32 GT/s", 240),
    new PciSpeed("5.0 GT/s PCIe", 30),
    new PciSpeed("8.0 GT/s PCIe", 60),
    new PciSpeed("16.0 GT/s PCIe", 120),
    new PciSpeed("32.0 GT/s PCIe", 240),
    new PciSpeed("64.0 GT/s PCIe", 480),
  };

  /** What NCCL takes for a speed that it does not know: PCI Gen3. */
  private static final int DEFAULT_PCI_SPEED = 60;

  private LinkBandwidths() {}

  private record PciSpeed(String prefix, int hundredMbpsPerLane) {}

  /** One NVLink of a GPU with this compute capability ({@code ncclTopoNVLinkBw}). */
  public static float nvlink(int sm) {
    if (sm >= 100) {
      return 40.1f;
    }
    if (sm >= 90) {
      return 20.6f;
    }
    if (sm == 86) {
      return 12.0f;
    }
    if (sm >= 70) {
      return 20.0f;
    }
    return sm >= 60 ? 18.0f : 20.0f;
  }

  /** From one NUMA domain to another on the same host ({@code ncclTopoGetInterCpuBw}). */
  public static float betweenCpus(CpuNode cpu) {
    return switch (cpu.arch()) {
      case POWER -> 32.0f;
      case ARM -> 6.0f;
      case UNKNOWN -> LOCAL;
      case X86 ->
          switch (cpu.vendor()) {
            case INTEL ->
                switch (cpu.model()) {
                  case INTEL_EMERALD_RAPIDS -> 40.0f;
                  case INTEL_SAPPHIRE_RAPIDS -> 22.0f;
                  case INTEL_SKYLAKE -> 10.0f;
                  default -> 6.0f;
                };
            case AMD -> 16.0f;
            case ZHAOXIN -> cpu.model() == CpuModel.ZHAOXIN_YONGFENG ? 9.0f : 6.0f;
            case NONE, UNKNOWN -> LOCAL;
          };
    };
  }

  /** Whether NCCL knows this PCI link speed; for any other it assumes Gen3. */
  public static boolean isKnownPciSpeed(String speed) {
    for (PciSpeed known : PCI_SPEEDS) {
      if (speed.startsWith(known.prefix)) {
        return true;
      }
    }
    return false;
  }

  /**
   * A PCI link.
   *
   * @param speed per lane, as sysfs writes it: {@code 16.0 GT/s PCIe}
   * @param width number of lanes; 0, which virtual machines report, counts as 16
   */
  public static float pci(String speed, int width) {
    int hundredMbpsPerLane = DEFAULT_PCI_SPEED;
    for (PciSpeed known : PCI_SPEEDS) {
      if (speed.startsWith(known.prefix)) {
        hundredMbpsPerLane = known.hundredMbpsPerLane;
        break;
      }
    }
    int lanes = width == 0 ? DEFAULT_PCI_WIDTH : width;
    return (float) (lanes * hundredMbpsPerLane / 80.0);
  }

  /**
   * A network port with this speed in Mb/s; one that is not positive, which some NICs report,
   * counts as 10 Gb/s.
   */
  public static float net(int mbps) {
    return (float) ((mbps <= 0 ? DEFAULT_NET_MBPS : mbps) / MBPS_PER_GBPS);
  }

  /** NVLink-C2C between GPU and CPU. */
  public static float c2c(int mbpsPerLink, int links) {
    return (float) (mbpsPerLink * links / 1000.0);
  }
}
