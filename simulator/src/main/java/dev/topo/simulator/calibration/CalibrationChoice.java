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
 * Chooses the shipped calibration for a machine, by the generation of its GPUs and their links. The
 * calibrations were fitted on GPUs of one generation behind NVSwitches with any CPU, or on PCIe
 * alone. None fits meshes of NVLinks, GPUs on C2C alone, or other generations. H100 copies slower
 * than H200 and has a calibration of its own, used if the device ids in the topology file identify
 * it; all other GPUs of that generation use the calibration of H200.
 *
 * @param calibration the calibration; empty if none fits
 * @param machine the kind of machine that determined the choice: {@code sm 90, NVSwitch}
 */
public record CalibrationChoice(Optional<Calibration> calibration, String machine) {
  private static final int AFTER_BLACKWELL = 110;
  private static final String GRACE_BLACKWELL_NVSWITCH = "gb200-nvswitch";
  private static final String PCIE = "pcie";
  private static final String AMPERE_NVSWITCH = "a100-nvswitch";
  private static final String HOPPER_NVSWITCH = "h200-nvswitch";
  private static final String H100_NVSWITCH = "h100-nvswitch";

  /** Model name in {@link SwitchedGpu}. */
  private static final String H100 = "H100";

  private static final String BLACKWELL_NVSWITCH = "b200-nvswitch";

  /**
   * Further machines whose times determine the spread of {@code pcie}: A100, RTX A6000 and RTX
   * 4090.
   */
  private static final Set<String> PCIE_SPREAD_MACHINES =
      Set.of("sm 80, PCI", "sm 86, PCI", "sm 89, PCI");

  /**
   * Orders machines by their constants, slowest first: those without a calibration, then those on
   * PCI, then older GPUs. Within a generation, kinds with a suffix of their own (H100, Grace) come
   * first. A single GPU needs no constants and comes last.
   */
  public static final Comparator<Topology> SLOWEST_FIRST =
      Comparator.<Topology, Boolean>comparing(machine -> machine.gpus().size() < 2)
          .thenComparing(machine -> of(machine).calibration.isPresent())
          .thenComparing(Topology::hasNvSwitch)
          .thenComparing(machine -> machine.minSm().orElse(0))
          .thenComparing(machine -> of(machine).machine, Comparator.reverseOrder());

  /** The calibration for a machine. */
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
            + name.map(CalibrationChoice::suffix).orElse(""));
  }

  /**
   * Suffix that distinguishes the machines of a calibration from others of the same generation with
   * the same links.
   */
  private static String suffix(String calibration) {
    return switch (calibration) {
      case GRACE_BLACKWELL_NVSWITCH -> ", Grace";
      case H100_NVSWITCH -> ", " + H100;
      default -> "";
    };
  }

  /** The kind of machine without the model of its GPUs, which few files state. */
  String generation() {
    return machine.replace(suffix(H100_NVSWITCH), "");
  }

  /** The calibration of the nearest generation, from which a fit for an unknown one starts. */
  public static Calibration nearest(Topology topology) {
    String name = PCIE;
    if (topology.hasNvSwitch() || MachineKind.isLinked(topology)) {
      int sm = topology.minSm().orElse(0);
      name =
          sm < ComputeCapability.HOPPER
              ? AMPERE_NVSWITCH
              : sm < ComputeCapability.BLACKWELL ? ofHopper(topology) : BLACKWELL_NVSWITCH;
    }
    return CalibrationFile.shipped(name).orElseThrow();
  }

  /**
   * True if a machine's calibration is borrowed from the nearest generation: neither its constants
   * nor its spread are based on times of such machines.
   */
  public static boolean isBorrowed(Calibration calibration, Topology topology) {
    CalibrationChoice choice = of(topology);
    return choice.calibration.filter(calibration::equals).isPresent()
        && !calibration.measuredOn().machines().contains(choice.machine)
        && !(calibration.name().equals(PCIE) && PCIE_SPREAD_MACHINES.contains(choice.machine));
  }

  private static Optional<String> name(Topology topology, IntSummaryStatistics sm) {
    if (!topology.hasNvSwitch()) {
      return MachineKind.isLinked(topology) || sm.getMin() < ComputeCapability.AMPERE
          ? Optional.empty()
          : Optional.of(PCIE);
    }
    if (sm.getMin() == ComputeCapability.AMPERE && sm.getMax() == ComputeCapability.AMPERE) {
      return Optional.of(AMPERE_NVSWITCH);
    }
    if (sm.getMin() == ComputeCapability.HOPPER && sm.getMax() == ComputeCapability.HOPPER) {
      return Optional.of(ofHopper(topology));
    }
    boolean isBlackwell =
        sm.getMin() >= ComputeCapability.BLACKWELL && sm.getMax() < AFTER_BLACKWELL;
    if (!isBlackwell) {
      return Optional.empty();
    }
    return Optional.of(hasGrace(topology) ? GRACE_BLACKWELL_NVSWITCH : BLACKWELL_NVSWITCH);
  }

  private static String ofHopper(Topology topology) {
    return topology.gpus().stream()
            .allMatch(gpu -> SwitchedGpu.modelOf(gpu.device()).equals(Optional.of(H100)))
        ? H100_NVSWITCH
        : HOPPER_NVSWITCH;
  }

  private static boolean hasGrace(Topology topology) {
    return topology.cpus().stream().allMatch(cpu -> cpu.arch() == CpuArch.ARM);
  }

  /**
   * The calibration that predictions use, and why.
   *
   * @param calibration the calibration; empty to use NCCL's own model
   * @param reason reason for the choice: {@code by machine: sm 90, NVSwitch}
   * @param fits whether the calibration is meant for machines of this kind
   * @param own times of the user's own machine that correct its predictions
   */
  public record SelectedCalibration(
      Optional<Calibration> calibration, String reason, boolean fits, Optional<OwnTimes> own) {
    /**
     * Spread from which on predictions count as low quality: twice the spread of the shipped
     * calibrations on other hosts.
     */
    private static final double LOW_QUALITY = 0.2;

    private static final String REQUESTED = "as requested";

    /** A calibration without own times. */
    public SelectedCalibration(Optional<Calibration> calibration, String reason, boolean fits) {
      this(calibration, reason, fits, Optional.empty());
    }

    /**
     * The calibration for a machine, corrected by times that were measured on it.
     *
     * @param base the calibration without these times; empty if none fits the machine
     * @param name name of the times
     */
    public static SelectedCalibration corrected(
        Optional<Calibration> base, String name, OwnTimes own) {
      return new SelectedCalibration(
          base, "%s by %s own times".formatted(name, own.calls().size()), true, Optional.of(own));
    }

    /** The shipped calibration for a machine, if there is one. */
    public static SelectedCalibration byMachine(Topology topology) {
      CalibrationChoice fitting = CalibrationChoice.of(topology);
      return new SelectedCalibration(
          fitting.calibration(),
          fitting.calibration().isPresent()
              ? "by machine: " + fitting.machine()
              : "none matches this machine: " + fitting.machine(),
          true);
    }

    /** A calibration that the user requests; it may not fit the machine. */
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

    /** NCCL's own model, as the user requests no calibration. */
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

    /** True if the calibration is based on too little data to distinguish close alternatives. */
    public boolean isLowQuality() {
      return calibration
          .map(c -> c.spread() >= LOW_QUALITY || !isShipped() && isPublished(c))
          .orElse(false);
    }

    /** True if constants other than those of NVLS are derived from published figures. */
    private static boolean isPublished(Calibration calibration) {
      return !Constant.OF_NVLS.containsAll(calibration.published());
    }

    private String evidence(Calibration used) {
      if (isLowQuality()) {
        return "low quality, ";
      }
      return isPublished(used) ? "fitted to published times, " : "measured, ";
    }

    /** Quality of predictions for a kind of launch, in words. */
    public String quality(Launch launch) {
      return calibration
          .map(c -> evidence(c) + spreads(c, launch) + (fits ? "" : " on another kind of machine"))
          .orElse("NCCL's own model");
    }

    private String spreads(Calibration used, Launch launch) {
      return isShipped()
          ? KnownSpread.text(used.name(), launch)
          : TextWriter.format("90 of 100 fitted times within %.0f %%", 100 * used.spread());
    }

    /**
     * Relative error that 90 % of the predictions of large calls do not exceed; empty if unknown.
     * For a calibration of the user, the spread in its file.
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
