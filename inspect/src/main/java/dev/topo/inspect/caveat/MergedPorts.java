package dev.topo.inspect.caveat;

import dev.topo.inspect.caveat.CaveatCollector.CaveatJob.Subject;
import dev.topo.model.NicMerging;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Topology;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds network ports that NCCL uses as one device ({@code nccl:src/graph/topo.cc}). A dump lists
 * the ports separately; {@code topo probe --merged-nics} writes the merged devices.
 */
final class MergedPorts {
  private static final String NICS = "NCCL_IB_MERGE_NICS";
  private static final String LEVEL = "NCCL_NET_MERGE_LEVEL";
  private static final String FORCED = "NCCL_NET_FORCE_MERGE";

  static final Set<String> SETTINGS = Set.of(NICS, "NCCL_IB_MERGE_VFS", LEVEL, FORCED);

  /** Merge levels: no merging, and NCCL's default. */
  private static final String NO_MERGING = "LOC";

  private static final String SAME_CARD = "PORT";

  /** PCI vendors whose plugin does not merge ports: Amazon's EFA. */
  private static final Set<String> WITHOUT_MERGING = Set.of("0x1d0f");

  private MergedPorts() {}

  /**
   * True if NCCL may merge ports of a card that the answer treats as separate.
   *
   * @param stated settings of the job
   * @param complete the same with NCCL's defaults
   */
  static boolean areLeftSeparate(Subject machine, NcclSettings stated, NcclSettings complete) {
    boolean isOn =
        complete.integer(NICS, 1) != 0
            && !complete.text(LEVEL).orElse(SAME_CARD).equalsIgnoreCase(NO_MERGING)
            && complete.text("NCCL_NET").filter("Socket"::equalsIgnoreCase).isEmpty();
    return isOn && stated.nicMerging().isEmpty() && canMerge(machine);
  }

  /**
   * Names the devices that the settings create from several ports, and the ports that are lost:
   * NCCL does not find a device with ports at several CPUs. Empty if nothing is merged.
   *
   * @throws dev.topo.model.job.UnusableTopologyException if NCCL fails to merge them, and there is
   *     no answer
   */
  static String describe(Subject machine, NcclSettings stated) {
    List<String> merged = names(machine.topology().seen(stated.nicMerging(), stated.hcas()));
    List<String> separate = names(machine.topology().seen(Optional.empty(), stated.hcas()));
    Set<String> keptNames = new HashSet<>(merged);
    merged.forEach(name -> keptNames.addAll(List.of(name.split("\\" + NicMerging.JOINT))));
    String created =
        merged.stream().filter(name -> !separate.contains(name)).collect(Collectors.joining(" "));
    String missing =
        separate.stream()
            .filter(name -> !keptNames.contains(name))
            .collect(Collectors.joining(" "));
    return missing.isEmpty()
        ? created
        : created + (created.isEmpty() ? "" : "; ") + "lost: " + missing;
  }

  private static List<String> names(Topology topology) {
    return topology.nets().stream().map(NetNode::name).distinct().toList();
  }

  private static Stream<NetNode> separate(Subject machine) {
    return machine.topology().merged(Optional.empty()).nets().stream();
  }

  /** True if a card has several ports that are separate devices. */
  private static boolean canMerge(Subject machine) {
    Map<String, Integer> portsByCard = new HashMap<>();
    count(machine.file(), "", portsByCard);
    return portsByCard.values().stream().anyMatch(count -> count > 1);
  }

  private static void count(XmlElement element, String host, Map<String, Integer> portsByCard) {
    String hostOfElement = element.attribute("host_hash").orElse(host);
    boolean merges = !WITHOUT_MERGING.contains(element.attribute("vendor").orElse(""));
    long ports =
        element.elements("nic").stream()
            .flatMap(nic -> nic.elements("net").stream())
            .filter(net -> !isMerged(net.attribute("name").orElse("")))
            .count();
    if (ports > 0 && merges && element.name().equals("pci")) {
      // Functions of a card are one device to NCCL.
      String card =
          hostOfElement + " " + element.attribute("busid").orElse("").replaceFirst("\\..$", "");
      portsByCard.merge(card, (int) ports, Integer::sum);
    }
    element.elements().forEach(child -> count(child, hostOfElement, portsByCard));
  }

  private static boolean isMerged(String name) {
    return name.contains(NicMerging.JOINT);
  }

  /**
   * Settings that would change the merging of ports that the machines' files already show merged.
   */
  static Set<String> notModelled(
      NcclSettings stated, NcclSettings complete, List<Subject> machines) {
    Set<String> names = new TreeSet<>();
    if (machines.stream().flatMap(MergedPorts::separate).noneMatch(net -> isMerged(net.name()))) {
      return names;
    }
    stated.text(FORCED).ifPresent(pairs -> names.add(FORCED));
    stated
        .text(LEVEL)
        .filter(level -> !level.equalsIgnoreCase(SAME_CARD))
        .ifPresent(level -> names.add(LEVEL));
    if (complete.integer(NICS, 1) == 0) {
      names.add(NICS);
    }
    return names;
  }
}
