package dev.topo.model;

/**
 * Makers of x86 CPUs that NCCL distinguishes ({@code NCCL_TOPO_CPU_VENDOR_*}, {@code
 * nccl:src/include/graph.h}).
 */
public enum CpuVendor {
  /** Not looked at: the CPU is not x86. */
  NONE(-1),
  /** A vendor that NCCL has no name for. */
  UNKNOWN(0),
  INTEL(1),
  AMD(2),
  ZHAOXIN(3);

  private final int number;

  CpuVendor(int number) {
    this.number = number;
  }

  /** NCCL's number, as in its log; -1 for {@link #NONE}. */
  public int number() {
    return number;
  }

  /**
   * The vendor with this value of the attribute {@code vendor}, which is what the CPUID instruction
   * returns; NCCL compares the beginning only ({@code kvDictCpuVendor}, {@code
   * nccl:src/graph/topo.cc}).
   */
  public static CpuVendor ofXmlName(String value) {
    if (value.startsWith("GenuineIntel")) {
      return INTEL;
    }
    if (value.startsWith("AuthenticAMD")) {
      return AMD;
    }
    boolean zhaoxin = value.startsWith("CentaurHauls") || value.startsWith("  Shanghai  ");
    return zhaoxin ? ZHAOXIN : UNKNOWN;
  }
}
