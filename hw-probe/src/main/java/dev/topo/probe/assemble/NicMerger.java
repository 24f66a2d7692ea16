package dev.topo.probe.assemble;

import dev.topo.model.xml.XmlTreeNode;
import dev.topo.probe.network.NameFilter;
import dev.topo.probe.network.NetPort;
import dev.topo.probe.network.NetSettings;
import dev.topo.probe.network.NicDistance;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides which network devices NCCL merges to virtual ones, and takes them out of the tree ({@code
 * ncclTopoMakeVNics}, {@code nccl:src/graph/topo.cc}). Used once.
 */
final class NicMerger {
  /** {@code NCCL_NET_MAX_DEVS_PER_NIC}. */
  private static final int MAX_MEMBERS = 4;

  private final List<NetPort> ports;
  private final List<XmlTreeNode> nets;
  private final NetSettings settings;
  private final boolean[] placed;
  private final NicDistance[][] distances;
  private final List<NetPort> made = new ArrayList<>();

  NicMerger(List<NetPort> ports, List<XmlTreeNode> nets, NetSettings settings) {
    this.ports = ports;
    this.nets = nets;
    this.settings = settings;
    this.placed = new boolean[ports.size()];
    this.distances = new NicDistance[ports.size()][ports.size()];
  }

  List<NetPort> merge() {
    settings.forceMerge().ifPresent(this::mergeForced);
    mergeByDistance();
    return List.copyOf(made);
  }

  /**
   * Groups with {@code ;} between them, devices with {@code ,}. A group that does not fit ends it.
   */
  private void mergeForced(String groups) {
    for (String group : groups.split(";", -1)) {
      NameFilter wanted = NameFilter.parse("=" + group, MAX_MEMBERS);
      if (wanted.entries().isEmpty()) {
        continue;
      }
      List<Integer> members = new ArrayList<>();
      for (int i = 0; i < ports.size(); i++) {
        if (wanted.lists(ports.get(i).name(), ports.get(i).port())) {
          members.add(i);
        }
      }
      if (members.size() != wanted.entries().size() || !make(members)) {
        return;
      }
      members.forEach(i -> placed[i] = true);
    }
  }

  /**
   * Takes the first device that is left and all that are near enough. Where they cannot be merged,
   * they count as far apart and the search begins again, at the second device, as NCCL's does.
   */
  private void mergeByDistance() {
    measure();
    for (int i = 0; i < ports.size(); i++) {
      if (placed[i]) {
        continue;
      }
      List<Integer> members = nearTo(i);
      if (!make(members)) {
        for (int member : members) {
          placed[member] = false;
          if (member != i) {
            distances[i][member] = NicDistance.DIS;
            distances[member][i] = NicDistance.DIS;
          }
        }
        i = 0;
      }
    }
  }

  private void measure() {
    for (int i = 0; i < ports.size(); i++) {
      for (int j = 0; j < ports.size(); j++) {
        distances[i][j] = NicGeometry.of(List.of(nets.get(i), nets.get(j))).distance();
      }
    }
  }

  private List<Integer> nearTo(int first) {
    List<Integer> members = new ArrayList<>();
    members.add(first);
    placed[first] = true;
    for (int j = 0; j < ports.size() && members.size() < MAX_MEMBERS; j++) {
      if (!placed[j] && distances[first][j].isWithin(settings.mergeDistance())) {
        members.add(j);
        placed[j] = true;
      }
    }
    return members;
  }

  /** Makes a virtual device of two or more; false if NCCL's network refuses. */
  private boolean make(List<Integer> members) {
    if (members.size() == 1) {
      return true;
    }
    boolean sameLayer = members.stream().map(i -> ports.get(i).linkLayer()).distinct().count() == 1;
    if (!settings.mergeNics() || !sameLayer) {
      return false;
    }
    made.add(NetPort.merged(ports, members));
    members.forEach(i -> nets.get(i).set("keep", "0"));
    return true;
  }

  static List<XmlTreeNode> members(NetPort virtual, List<XmlTreeNode> nets) {
    return virtual.members().stream().map(nets::get).toList();
  }

  /** The first of some nets' PCI device, if it is on one. */
  static Optional<XmlTreeNode> card(XmlTreeNode net) {
    return net.parent().flatMap(XmlTreeNode::parent).filter(node -> node.is("pci"));
  }
}
