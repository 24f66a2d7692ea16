package dev.topo.model;

/**
 * CPU architectures that NCCL distinguishes ({@code NCCL_TOPO_CPU_ARCH_*}, {@code
 * nccl:src/include/graph.h}).
 */
public enum CpuArch {
  /** An architecture that NCCL has no name for. */
  UNKNOWN(0, ""),
  X86(1, "x86_64"),
  POWER(2, "ppc64"),
  ARM(3, "arm64");

  private final int number;
  private final String xmlName;

  CpuArch(int number, String xmlName) {
    this.number = number;
    this.xmlName = xmlName;
  }

  /** NCCL's number, as in its log: {@code CPU/0-0 (1/1/3)}. */
  public int number() {
    return number;
  }

  /** The value of the attribute {@code arch} in a topology file; empty for {@link #UNKNOWN}. */
  public String xmlName() {
    return xmlName;
  }

  /**
   * The architecture with this attribute value; NCCL compares the beginning only ({@code
   * kvConvertToInt}).
   */
  public static CpuArch ofXmlName(String value) {
    for (CpuArch arch : values()) {
      if (arch != UNKNOWN && value.startsWith(arch.xmlName)) {
        return arch;
      }
    }
    return UNKNOWN;
  }
}
