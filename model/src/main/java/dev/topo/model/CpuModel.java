package dev.topo.model;

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
  /** Intel Emerald Rapids and newer. */
  INTEL_EMERALD_RAPIDS(4),
  ZHAOXIN_YONGFENG(1);

  private static final int INTEL_FAMILY = 6;
  private static final int SKYLAKE_MODEL = 0x55;
  private static final int SAPPHIRE_RAPIDS_MODEL = 0x8f;
  private static final int EMERALD_RAPIDS_MODEL = 0xcf;
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
    return model >= SAPPHIRE_RAPIDS_MODEL ? INTEL_SAPPHIRE_RAPIDS : INTEL_SKYLAKE;
  }

  /** The generation of a Zhaoxin CPU by the family and model that CPUID returns. */
  public static CpuModel ofZhaoxin(int family, int model) {
    return family == YONGFENG_FAMILY && model == YONGFENG_MODEL ? ZHAOXIN_YONGFENG : OTHER;
  }
}
