package dev.topo.simulator.calibration;

import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.SwitchedGpu;
import dev.topo.model.Topology;
import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.Optional;
import java.util.Set;

/**
 * The calibration that fits a machine, of those that come with topo, by the generation of its GPUs
 * and by what connects them. They were fitted on GPUs of one generation behind NVSwitches, whatever
 * the CPU, or on PCIe alone; meshes of NVLinks, GPUs on C2C alone and other generations are like
 * none of them. H100 has one of its own where the device ids of the file name it, as it copies
 * slower than H200; all other GPUs of its generation take that of H200.
 *
 * @param calibration the calibration; empty if none goes with the machine
 * @param machine what it was chosen by: {@code sm 90, NVSwitch}
 */
public record CalibrationChoice(Optional<Calibration> calibration, String machine) {
  private static final int AMPERE = 80;
  private static final int HOPPER = 90;
  private static final int BLACKWELL = 100;
  private static final int AFTER_BLACKWELL = 110;
  private static final String GRACE_BLACKWELL = "gb200-nvswitch";
  private static final String ON_PCI = "pcie";
  private static final String OF_AMPERE = "a100-nvswitch";
  private static final String OF_HOPPER = "h200-nvswitch";
  private static final String OF_H100 = "h100-nvswitch";

  /** Its model, as {@link SwitchedGpu} names it. */
  private static final String H100 = "H100";

  private static final String OF_BLACKWELL = "b200-nvswitch";

  /** Machines whose times the range of {@code pcie} rests on, too: A100, RTX A6000 and RTX 4090. */
  private static final Set<String> IN_RANGE_OF_PCI =
      Set.of("sm 80, PCI", "sm 86, PCI", "sm 89, PCI");

  /** The calibration for a machine. */
  public static CalibrationChoice of(Topology topology) {
    IntSummaryStatistics sm = topology.gpus().stream().mapToInt(GpuNode::sm).summaryStatistics();
    String links = isLinked(topology) ? "NVLink without NVSwitch" : "PCI";
    if (topology.hasNvSwitch()) {
      links = "NVSwitch";
    }
    boolean several = sm.getCount() > 1;
    Optional<String> name = several ? name(topology, sm) : Optional.empty();
    return new CalibrationChoice(
        name.flatMap(CalibrationFile::shipped),
        "sm "
            + topology.minSm().orElse(0)
            + ", "
            + (several ? links : "one GPU")
            + name.map(CalibrationChoice::addition).orElse(""));
  }

  /** What tells the machines of a calibration from others of the same GPUs and links. */
  private static String addition(String calibration) {
    return switch (calibration) {
      case GRACE_BLACKWELL -> ", Grace";
      case OF_H100 -> ", " + H100;
      default -> "";
    };
  }

  /** The machine without what few files state, the model of its GPUs. */
  String generation() {
    return machine.replace(addition(OF_H100), "");
  }

  /** The calibration of the nearest generation, where a fit starts that none is known for. */
  public static Calibration nearest(Topology topology) {
    String name = ON_PCI;
    if (topology.hasNvSwitch() || isLinked(topology)) {
      int sm = topology.minSm().orElse(0);
      name = sm < HOPPER ? OF_AMPERE : sm < BLACKWELL ? ofHopper(topology) : OF_BLACKWELL;
    }
    return CalibrationFile.shipped(name).orElseThrow();
  }

  /**
   * Whether a calibration is the one for a machine though it rests on no time of such machines, nor
   * its range: it is that of the nearest generation.
   */
  public static boolean isBorrowed(Calibration calibration, Topology topology) {
    CalibrationChoice choice = of(topology);
    return choice.calibration.filter(calibration::equals).isPresent()
        && !calibration.measuredOn().machines().contains(choice.machine)
        && !(calibration.name().equals(ON_PCI) && IN_RANGE_OF_PCI.contains(choice.machine));
  }

  private static Optional<String> name(Topology topology, IntSummaryStatistics sm) {
    if (!topology.hasNvSwitch()) {
      return isLinked(topology) || sm.getMin() < AMPERE ? Optional.empty() : Optional.of(ON_PCI);
    }
    if (sm.getMin() == AMPERE && sm.getMax() == AMPERE) {
      return Optional.of(OF_AMPERE);
    }
    if (sm.getMin() == HOPPER && sm.getMax() == HOPPER) {
      return Optional.of(ofHopper(topology));
    }
    boolean isBlackwell = sm.getMin() >= BLACKWELL && sm.getMax() < AFTER_BLACKWELL;
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

  public static boolean isLinked(Topology topology) {
    return Arrays.stream(topology.indexes(NodeType.GPU))
        .boxed()
        .flatMap(gpu -> topology.links(gpu).stream())
        .anyMatch(link -> link.type() == LinkType.NVL || link.type() == LinkType.C2C);
  }
}
