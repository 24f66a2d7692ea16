package dev.topo.probe.assume;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * GPUs by name, as NCCL sees them: compute capability (CUDA C++ Programming Guide, table "GPUs
 * supported"), NVLinks to a switch and over a bridge (NVIDIA's data sheets: the bandwidth of the
 * GPU by that of one link; A800 and H800 have 400 GB/s), and whether network cards may access its
 * memory (data centre GPUs and the RTX of workstations, not GeForce). Links to a CPU are those that
 * published dumps of NCCL show.
 */
public enum GpuModel {
  /** P100 SXM2. */
  P100(60, 0, 0, true),
  /** V100 SXM2 and SXM3. */
  V100(70, 6, 0, true),
  /** T4. */
  T4(75, 0, 0, true),
  /** A30. */
  A30(80, 0, 4, true),
  /** A100. */
  A100(80, 12, 12, true),
  /** A800. */
  A800(80, 8, 8, true),
  /** A10, A10G. */
  A10(86, 0, 0, true),
  /** A40. */
  A40(86, 0, 4, true),
  /** RTX A6000. */
  A6000(86, 0, 4, true),
  /** GeForce RTX 3090. */
  RTX3090(86, 0, 4, false),
  /** L4. */
  L4(89, 0, 0, true),
  /** L40. */
  L40(89, 0, 0, true),
  /** L40S. */
  L40S(89, 0, 0, true),
  /** GeForce RTX 4090. */
  RTX4090(89, 0, 0, false),
  /** H20. */
  H20(90, 18, 0, true),
  /** H100. */
  H100(90, 18, 12, true),
  /** H800. */
  H800(90, 8, 8, true),
  /** H200. */
  H200(90, 18, 18, true),
  /** The GPU of a GH200, with NVLink-C2C. */
  GH200(90, 18, 0, true, 372_000),
  /** B200. */
  B200(100, 18, 0, true),
  /** The GPU of a GB200, with NVLink-C2C. */
  GB200(100, 18, 0, true, 447_000),
  /** B300. */
  B300(103, 18, 0, true),
  /** GeForce RTX 5090. */
  RTX5090(120, 0, 0, false),
  /** RTX PRO 6000 Blackwell. */
  RTXPRO6000(120, 0, 0, true);

  private final int sm;
  private final int switchLinks;
  private final int bridgeLinks;
  private final boolean gdr;
  private final int c2cMBps;

  GpuModel(int sm, int switchLinks, int bridgeLinks, boolean gdr) {
    this(sm, switchLinks, bridgeLinks, gdr, 0);
  }

  GpuModel(int sm, int switchLinks, int bridgeLinks, boolean gdr, int c2cMBps) {
    this.sm = sm;
    this.switchLinks = switchLinks;
    this.bridgeLinks = bridgeLinks;
    this.gdr = gdr;
    this.c2cMBps = c2cMBps;
  }

  /** How it is written in an assumption. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The GPU with this name. */
  public static Optional<GpuModel> ofWord(String word) {
    return Arrays.stream(values())
        .filter(model -> model.word().equals(word.toLowerCase(Locale.ROOT)))
        .findFirst();
  }

  /** All names. */
  public static String words() {
    return Arrays.stream(values()).map(GpuModel::word).collect(Collectors.joining(", "));
  }

  /** Compute capability, {@code 90} for 9.0. */
  public int sm() {
    return sm;
  }

  /** The wiring that it has where none is named. */
  NvlinkWiring usualWiring() {
    return switchLinks > 0 ? NvlinkWiring.NVSWITCH : NvlinkWiring.NONE;
  }

  /** How many NVLinks a GPU has in a wiring; 0 where there is no such product. */
  int links(NvlinkWiring wiring) {
    return switch (wiring) {
      case NONE -> 0;
      case NVSWITCH -> switchLinks;
      case PAIRS -> bridgeLinks;
    };
  }

  boolean gdr() {
    return gdr;
  }

  /** Bandwidth to a CPU over NVLink-C2C in MB/s; 0 without. */
  int c2cMBps() {
    return c2cMBps;
  }
}
