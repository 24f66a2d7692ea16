package dev.topo.inspect.caveat;

import dev.topo.inspect.caveat.CaveatJob.Subject;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.xml.XmlElement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Network ports that NCCL would use as one device ({@code nccl:src/graph/topo.cc}); a file that was
 * dumped or probed has such devices already.
 */
final class MergedPorts {
  private static final String NICS = "NCCL_IB_MERGE_NICS";
  private static final String VFS = "NCCL_IB_MERGE_VFS";
  private static final String LEVEL = "NCCL_NET_MERGE_LEVEL";
  private static final String FORCED = "NCCL_NET_FORCE_MERGE";

  /** The settings of merging. */
  static final Set<String> SETTINGS = Set.of(NICS, VFS, LEVEL, FORCED);

  /** The level at which nothing is merged, and the usual one. */
  private static final String NOTHING = "LOC";

  private static final String SAME_CARD = "PORT";

  /** Amazon's EFA, whose plugin does not merge. */
  private static final Set<String> WITHOUT_MERGING = Set.of("0x1d0f");

  /** The separator of the names of merged ports. */
  private static final String JOINT = "+";

  private MergedPorts() {}

  /** Whether NCCL merges ports of a card. */
  static boolean isOn(NcclSettings complete) {
    return complete.integer(NICS, 1) != 0
        && !complete.text(LEVEL).orElse(SAME_CARD).equalsIgnoreCase(NOTHING);
  }

  /** Whether some card has several ports that are separate devices. */
  static boolean canMerge(Subject machine) {
    Map<String, Integer> portsByCard = new HashMap<>();
    count(machine.file(), "", portsByCard);
    return portsByCard.values().stream().anyMatch(count -> count > 1);
  }

  private static void count(XmlElement element, String host, Map<String, Integer> portsByCard) {
    String here = element.attribute("host_hash").orElse(host);
    boolean merges = !WITHOUT_MERGING.contains(element.attribute("vendor").orElse(""));
    long ports =
        element.elements("nic").stream()
            .flatMap(nic -> nic.elements("net").stream())
            .filter(net -> !isMerged(net.attribute("name").orElse("")))
            .count();
    if (ports > 0 && merges && element.name().equals("pci")) {
      // Functions of a card are one device to NCCL.
      String card = here + " " + element.attribute("busid").orElse("").replaceFirst("\\..$", "");
      portsByCard.merge(card, (int) ports, Integer::sum);
    }
    element.elements().forEach(child -> count(child, here, portsByCard));
  }

  private static boolean isMerged(String name) {
    return name.contains(JOINT);
  }

  /** The settings that change the ports of these machines in another way than usual. */
  static Set<String> notModelled(
      NcclSettings stated, NcclSettings complete, List<Subject> machines) {
    Set<String> names = new TreeSet<>();
    boolean hasPorts = machines.stream().anyMatch(machine -> !machine.topology().nets().isEmpty());
    boolean hasMerged =
        machines.stream()
            .flatMap(machine -> machine.topology().nets().stream())
            .anyMatch(net -> isMerged(net.name()));
    stated.text(FORCED).filter(pairs -> hasPorts).ifPresent(pairs -> names.add(FORCED));
    stated
        .text(LEVEL)
        .filter(level -> hasPorts && !level.equalsIgnoreCase(SAME_CARD))
        .filter(level -> hasMerged || !level.equalsIgnoreCase(NOTHING))
        .ifPresent(level -> names.add(LEVEL));
    if (hasMerged && complete.integer(NICS, 1) == 0) {
      names.add(NICS);
    }
    return names;
  }
}
