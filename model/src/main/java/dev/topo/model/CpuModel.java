package dev.topo.model;

import java.util.Set;

/**
 * CPU generations that NCCL distinguishes because their socket interconnects differ ({@code
 * NCCL_TOPO_CPU_MODEL_*} and {@code ncclTopoAddCpu}, {@code nccl:src/graph/topo.cc}).
 */
public enum CpuModel {
  /** Any other CPU. */
  OTHER(-1),
  /** Intel up to Broadwell. */
  INTEL_BROADWELL(1),
  /** Intel Skylake and its successors, up to Ice Lake. */
  INTEL_SKYLAKE(2),
  INTEL_SAPPHIRE_RAPIDS(3),
  /** Intel Granite Rapids and related CPUs, with model numbers below Emerald Rapids. */
  INTEL_GRANITE_RAPIDS(3),
  /** Intel Emerald Rapids and newer. */
  INTEL_EMERALD_RAPIDS(4),
  /** AMD Zen, Zen 2 and unknown families. */
  AMD_ZEN_1(1),
  /** AMD Zen 3 and Zen 4. */
  AMD_ZEN_3(2),
  /** AMD Zen 5. */
  AMD_ZEN_5(3),
  ZHAOXIN_YONGFENG(1);

  private static final int INTEL_FAMILY = 6;
  private static final int SKYLAKE_MODEL = 0x55;
  private static final int SAPPHIRE_RAPIDS_MODEL = 0x8f;
  private static final int EMERALD_RAPIDS_MODEL = 0xcf;
  private static final Set<Integer> GRANITE_RAPIDS_MODELS = Set.of(0xad, 0xae, 0xaf);

  /** AMD families, as CPUID returns them and as NCCL up to 2.30 writes them to files. */
  private static final Set<Integer> ZEN_3_FAMILIES = Set.of(25, 0xaf);

  private static final Set<Integer> ZEN_5_FAMILIES = Set.of(26, 0xbf);
  private static final int YONGFENG_FAMILY = 7;
  private static final int YONGFENG_MODEL = 0x5b;

  private final int number;

  CpuModel(int number) {
    this.number = number;
  }

  /** NCCL's number within the vendor; -1 where NCCL sets none. */
  public int number() {
    return number;
  }

  /** The generation of an Intel CPU by the family and model that CPUID returns. */
  public static CpuModel ofIntel(int family, int model) {
    if (family != INTEL_FAMILY || model < SKYLAKE_MODEL) {
      return INTEL_BROADWELL;
    }
    if (model >= EMERALD_RAPIDS_MODEL) {
      return INTEL_EMERALD_RAPIDS;
    }
    if (GRANITE_RAPIDS_MODELS.contains(model)) {
      return INTEL_GRANITE_RAPIDS;
    }
    return model >= SAPPHIRE_RAPIDS_MODEL ? INTEL_SAPPHIRE_RAPIDS : INTEL_SKYLAKE;
  }

  /**
   * The generation of an AMD CPU by its family, as CPUID returns it or as NCCL up to 2.30 writes it
   * to files.
   */
  public static CpuModel ofAmd(int family) {
    if (ZEN_5_FAMILIES.contains(family)) {
      return AMD_ZEN_5;
    }
    return ZEN_3_FAMILIES.contains(family) ? AMD_ZEN_3 : AMD_ZEN_1;
  }

  /** The generation of a Zhaoxin CPU by the family and model that CPUID returns. */
  public static CpuModel ofZhaoxin(int family, int model) {
    return family == YONGFENG_FAMILY && model == YONGFENG_MODEL ? ZHAOXIN_YONGFENG : OTHER;
  }

  /**
   * CPU architectures that NCCL distinguishes ({@code NCCL_TOPO_CPU_ARCH_*}, {@code
   * nccl:src/include/graph.h}).
   */
  public enum CpuArch {
    /** An architecture unknown to NCCL. */
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
     * The architecture with this attribute value; NCCL compares only the prefix ({@code
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

  /**
   * Vendors of x86 CPUs that NCCL distinguishes ({@code NCCL_TOPO_CPU_VENDOR_*}, {@code
   * nccl:src/include/graph.h}).
   */
  public enum CpuVendor {
    /** Not evaluated: the CPU is not x86. */
    NONE(-1),
    /** A vendor unknown to NCCL. */
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
     * The vendor with this value of the attribute {@code vendor}, the vendor string of CPUID; NCCL
     * compares only the prefix ({@code kvDictCpuVendor}, {@code nccl:src/graph/topo.cc}).
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
}
