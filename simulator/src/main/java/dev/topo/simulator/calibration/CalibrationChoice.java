package dev.topo.simulator.calibration;

import dev.topo.model.ComputeCapability;
import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.MachineKind;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.SwitchedGpu;
import dev.topo.model.Topology;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.calibration.KnownSpread.Launch;
import java.util.Comparator;
import java.util.IntSummaryStatistics;
import java.util.Optional;
import java.util.Set;

/**
 * The shipped calibration for a machine, by the generation of its GPUs and their links. They were
 * fitted on GPUs of one generation behind NVSwitches, whatever the CPU, or on PCIe alone; none fits
 * meshes of NVLinks, GPUs on C2C alone or other generations. H100 has its own where the device ids
 * of the file identify it, as it copies slower than H200; all other GPUs of its generation take
 * that of H200.
 *
 * @param calibration the calibration; empty if none fits
 * @param machine the machine by which it was chosen: {@code sm 90, NVSwitch}
 */
public record CalibrationChoice(Optional<Calibration> calibration, String machine) {
  private static final int AFTER_BLACKWELL = 110;
  private static final String GRACE_BLACKWELL = "gb200-nvswitch";
  private static final String ON_PCI = "pcie";
  private static final String OF_AMPERE = "a100-nvswitch";
  private static final String OF_HOPPER = "h200-nvswitch";
  private static final String OF_H100 = "h100-nvswitch";

  /** Model name in {@link SwitchedGpu}. */
  private static final String H100 = "H100";

  private static final String OF_BLACKWELL = "b200-nvswitch";

  /** Machines that the range of {@code pcie} also rests on: A100, RTX A6000 and RTX 4090. */
  private static final Set<String> IN_RANGE_OF_PCI =
      Set.of("sm 80, PCI", "sm 86, PCI", "sm 89, PCI");

  /**
   * Orders machines by their constants, slowest first: those without a calibration, then those on
   * PCI, then older GPUs; within a generation, the kind with its own name (H100, Grace). A single
   * GPU needs no constants and is last.
   */
  public static final Comparator<Topology> SLOWEST_FIRST =
      Comparator.<Topology, Boolean>comparing(machine -> machine.gpus().size() < 2)
          .thenComparing(machine -> of(machine).calibration.isPresent())
          .thenComparing(Topology::hasNvSwitch)
          .thenComparing(machine -> machine.minSm().orElse(0))
          .thenComparing(machine -> of(machine).machine, Comparator.reverseOrder());

  /** Calibration for a machine. */
  public static CalibrationChoice of(Topology topology) {
    IntSummaryStatistics sm = topology.gpus().stream().mapToInt(GpuNode::sm).summaryStatistics();
    String links = MachineKind.isLinked(topology) ? "NVLink without NVSwitch" : "PCI";
    if (topology.hasNvSwitch()) {
      links = "NVSwitch";
    }
    boolean several = sm.getCount() > 1;
    Optional<String> name = several ? name(topology, sm) : Optional.empty();
    return new CalibrationChoice(
        name.flatMap(CalibrationFile::shipped),
        "sm "
            + topology.minSm().orElse(0)
            + (name.isEmpty() && sm.getMax() > sm.getMin() ? " and " + sm.getMax() : "")
            + ", "
            + (several ? links : "one GPU")
            + name.map(CalibrationChoice::addition).orElse(""));
  }

  /**
   * Words that distinguish the machines of a calibration from others with the same GPUs and links.
   */
  private static String addition(String calibration) {
    return switch (calibration) {
      case GRACE_BLACKWELL -> ", Grace";
      case OF_H100 -> ", " + H100;
      default -> "";
    };
  }

  /** Text of the machine without the model of its GPUs, which few files state. */
  String generation() {
    return machine.replace(addition(OF_H100), "");
  }

  /** Calibration of the nearest generation, from which the fit of an unknown one starts. */
  public static Calibration nearest(Topology topology) {
    String name = ON_PCI;
    if (topology.hasNvSwitch() || MachineKind.isLinked(topology)) {
      int sm = topology.minSm().orElse(0);
      name =
          sm < ComputeCapability.HOPPER
              ? OF_AMPERE
              : sm < ComputeCapability.BLACKWELL ? ofHopper(topology) : OF_BLACKWELL;
    }
    return CalibrationFile.shipped(name).orElseThrow();
  }

  /**
   * True if neither the constants nor the range of a machine's calibration rest on times of such
   * machines: it is that of the nearest generation.
   */
  public static boolean isBorrowed(Calibration calibration, Topology topology) {
    CalibrationChoice choice = of(topology);
    return choice.calibration.filter(calibration::equals).isPresent()
        && !calibration.measuredOn().machines().contains(choice.machine)
        && !(calibration.name().equals(ON_PCI) && IN_RANGE_OF_PCI.contains(choice.machine));
  }

  private static Optional<String> name(Topology topology, IntSummaryStatistics sm) {
    if (!topology.hasNvSwitch()) {
      return MachineKind.isLinked(topology) || sm.getMin() < ComputeCapability.AMPERE
          ? Optional.empty()
          : Optional.of(ON_PCI);
    }
    if (sm.getMin() == ComputeCapability.AMPERE && sm.getMax() == ComputeCapability.AMPERE) {
      return Optional.of(OF_AMPERE);
    }
    if (sm.getMin() == ComputeCapability.HOPPER && sm.getMax() == ComputeCapability.HOPPER) {
      return Optional.of(ofHopper(topology));
    }
    boolean isBlackwell =
        sm.getMin() >= ComputeCapability.BLACKWELL && sm.getMax() < AFTER_BLACKWELL;
    if (!isBlackwell) {
      return Optional.empty();
    }
    return Optional.of(hasGrace(topology) ? GRACE_BLACKWELL : OF_BLACKWELL);
  }

  private static String ofHopper(Topology topology) {
    return topology.gpus().stream()
            .allMatch(gpu -> SwitchedGpu.modelOf(gpu.device()).equals(Optional.of(H100)))
        ? OF_H100
        : OF_HOPPER;
  }

  private static boolean hasGrace(Topology topology) {
    return topology.cpus().stream().allMatch(cpu -> cpu.arch() == CpuArch.ARM);
  }

  /**
   * Calibration that predictions use.
   *
   * @param calibration the calibration; empty if NCCL's own model is used
   * @param reason reason for the choice: {@code by machine: sm 90, NVSwitch}
   * @param fits whether it was measured on machines of this kind
   */
  public record SelectedCalibration(
      Optional<Calibration> calibration, String reason, boolean fits) {
    /**
     * Spread from which on predictions are of low quality: twice that of the shipped calibrations
     * on other hosts.
     */
    private static final double LOW_QUALITY = 0.2;

    private static final String REQUESTED = "as requested";

    /** Shipped calibration that fits a machine, if there is one. */
    public static SelectedCalibration byMachine(Topology topology) {
      CalibrationChoice fitting = CalibrationChoice.of(topology);
      return new SelectedCalibration(
          fitting.calibration(),
          fitting.calibration().isPresent()
              ? "by machine: " + fitting.machine()
              : "none matches this machine: " + fitting.machine(),
          true);
    }

    /** Calibration that the user names, for a machine that it may not fit. */
    public static SelectedCalibration requested(Calibration calibration, Topology topology) {
      CalibrationChoice fitting = CalibrationChoice.of(topology);
      boolean fits =
          fitting.calibration().equals(Optional.of(calibration))
              || calibration.measuredOn().machines().contains(fitting.machine())
              || calibration.measuredOn().machines().contains(fitting.generation());
      return new SelectedCalibration(
          Optional.of(calibration),
          fits ? REQUESTED : REQUESTED + ", but this machine is " + fitting.machine(),
          fits);
    }

    /** NCCL's own model, as the user wants no calibration. */
    public static SelectedCalibration none() {
      return new SelectedCalibration(Optional.empty(), REQUESTED, true);
    }

    /** True if the user asked for NCCL's own model. */
    public boolean isNcclModel() {
      return calibration.isEmpty() && reason.equals(REQUESTED);
    }

    public boolean isShipped() {
      return calibration.map(CalibrationFile::isShipped).orElse(false);
    }

    /** True if the calibration rests on too little data to distinguish close alternatives. */
    public boolean isLowQuality() {
      return calibration
          .map(c -> c.spread() >= LOW_QUALITY || !isShipped() && isPublished(c))
          .orElse(false);
    }

    /** True if constants other than those of NVLS rest on published figures. */
    private static boolean isPublished(Calibration calibration) {
      return !Constant.OF_NVLS.containsAll(calibration.published());
    }

    private String evidence(Calibration of) {
      if (isLowQuality()) {
        return "low quality, ";
      }
      return isPublished(of) ? "fitted to published times, " : "measured, ";
    }

    /** Quality for a kind of launch, in words. */
    public String quality(Launch launch) {
      return calibration
          .map(c -> evidence(c) + spreads(c, launch) + (fits ? "" : " on another kind of machine"))
          .orElse("NCCL's own model");
    }

    private String spreads(Calibration of, Launch launch) {
      return isShipped()
          ? KnownSpread.text(of.name(), launch)
          : TextWriter.format("90 of 100 fitted times within %.0f %%", 100 * of.spread());
    }

    /**
     * Relative error that 90 of 100 predictions of large calls do not exceed; empty if unknown. For
     * a user's calibration, the spread in its file.
     */
    public Optional<Double> spread(Launch launch) {
      return isShipped()
          ? calibration
              .flatMap(c -> KnownSpread.of(c.name(), launch, KnownSpread.LARGE))
              .map(KnownSpread::part)
          : calibration.map(Calibration::spread);
    }
  }
}
