package dev.topo.model;

/** Compute capabilities of GPU generations, major times 10 plus minor: 90 for 9.0. */
public final class ComputeCapability {
  public static final int PASCAL = 60;
  public static final int VOLTA = 70;
  public static final int AMPERE = 80;
  public static final int HOPPER = 90;
  public static final int BLACKWELL = 100;

  /** First value after Blackwell Ultra, the newest GPU with NVLinks that lint has rules for. */
  private static final int FIRST_UNKNOWN = 104;

  /** Exclusive upper limit of the values that are treated as newer GPUs. */
  private static final int UNKNOWN_END = 200;

  private ComputeCapability() {}

  /** True for GPUs newer than the known generations, such as Rubin (107, 36 NVLinks). */
  public static boolean isNewer(int sm) {
    return sm >= FIRST_UNKNOWN && sm < UNKNOWN_END;
  }

  /** The number of NVLinks that NCCL queries on a GPU ({@code ncclTopoGetXmlFromGpu}). */
  public static int maxNvlinks(int sm) {
    return sm < PASCAL ? 0 : sm < VOLTA ? 4 : sm < AMPERE ? 6 : sm < HOPPER ? 12 : 18;
  }
}
