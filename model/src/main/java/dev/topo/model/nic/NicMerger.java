package dev.topo.model.nic;

import dev.topo.model.NicDistance;
import dev.topo.model.NicMerging;
import dev.topo.model.job.UnusableTopologyException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Decides which network ports NCCL merges into virtual devices: forced groups first, then ports
 * that are near enough ({@code ncclTopoMakeVNics}, {@code nccl:src/graph/topo.cc}, and {@code
 * ncclIbMakeVDeviceInternal}, {@code nccl:src/transport/net_ib.cc}, 2.28.9); up to 2.23, pairs of
 * ports of one card ({@code ncclIbFindMatchingDev}). Used once.
 */
public final class NicMerger {
  /**
   * Maximum number of ports in a device that the network merges (NCCL_IB_MAX_DEVS_PER_NIC, up to
   * 2.23).
   */
  private static final int MAX_PAIRED = 2;

  /** Maximum number of ports that a message lists. */
  private static final int MAX_LISTED = 8;

  private final List<PhysicalPort> ports;
  private final NicMerging rules;
  private final PortMerging merging;
  private final boolean[] placed;
  private final NicDistance[][] distances;
  private final List<List<Integer>> devices = new ArrayList<>();

  /**
   * Prepares the merging of the ports of a host.
   *
   * @param ports all ports of a host in the order of their device numbers
   */
  public NicMerger(List<PhysicalPort> ports, NicMerging rules, PortMerging merging) {
    this.ports = List.copyOf(ports);
    this.rules = rules;
    this.merging = merging;
    this.placed = new boolean[ports.size()];
    this.distances = new NicDistance[ports.size()][ports.size()];
  }

  /**
   * The ports of each virtual device, by index in the list, in the order in which NCCL makes the
   * devices. Includes devices of one port. A port in several forced groups appears in each.
   *
   * @throws UnusableTopologyException if a forced group cannot be merged; NCCL then fails
   */
  public List<List<Integer>> merge() {
    if (merging.isByNetwork()) {
      return pairs();
    }
    rules.forced().ifPresent(this::mergeForced);
    mergeByDistance();
    return List.copyOf(devices);
  }

  /**
   * The pairs that the network forms by itself: each port joins the first unpaired port of its
   * card.
   */
  private List<List<Integer>> pairs() {
    List<List<Integer>> single = IntStream.range(0, ports.size()).mapToObj(List::of).toList();
    if (!rules.allowed()) {
      return single;
    }
    List<List<Integer>> paired = new ArrayList<>();
    for (int i = 0; i < ports.size(); i++) {
      int port = i;
      Optional<List<Integer>> partner =
          paired.stream()
              .filter(
                  device ->
                      device.size() < MAX_PAIRED
                          && ports.get(device.get(0)).isPaired(ports.get(port)))
              .findFirst();
      partner.ifPresentOrElse(
          device -> device.add(port), () -> paired.add(new ArrayList<>(List.of(port))));
    }
    boolean isMixed = paired.stream().map(List::size).distinct().count() > 1;
    return merging == PortMerging.PAIRS_ONLY && isMixed ? single : paired;
  }

  private void mergeForced(String groups) {
    for (String group : groups.split(";")) {
      if (group.isEmpty()) {
        continue;
      }
      // NCCL reads at most as many names as a device may have ports.
      NameFilter wanted = NameFilter.parse("=" + group, NicMerging.MAX_PORTS);
      if (wanted.entries().isEmpty()) {
        throw refused(group, "has no device name, and NCCL never ends");
      }
      List<Integer> members =
          IntStream.range(0, ports.size())
              .filter(i -> wanted.lists(ports.get(i).name(), ports.get(i).number()))
              .boxed()
              .toList();
      if (members.size() != wanted.entries().size()) {
        throw refused(
            group,
            "lists %s devices and matches %s ports, expected whole names of different ports: %s"
                .formatted(wanted.entries().size(), members.size(), names()));
      }
      if (!makeDevice(members)) {
        throw refused(
            group,
            rules.allowed()
                ? "has ports of InfiniBand and of Ethernet, expected one kind"
                : "cannot be merged with NCCL_IB_MERGE_NICS=0");
      }
      members.forEach(i -> placed[i] = true);
    }
  }

  private UnusableTopologyException refused(String group, String reason) {
    return new UnusableTopologyException("NCCL_NET_FORCE_MERGE: group '" + group + "' " + reason);
  }

  private String names() {
    return ports.stream()
        .limit(MAX_LISTED)
        .map(port -> port.name() + ":" + port.number())
        .collect(Collectors.joining(", ", "", ports.size() > MAX_LISTED ? ", …" : ""));
  }

  /**
   * Groups the first remaining port with all ports that are near enough. If they cannot be merged,
   * they are marked as far apart and the scan restarts at the second port, as in NCCL.
   */
  private void mergeByDistance() {
    measureDistances();
    for (int i = 0; i < ports.size(); i++) {
      if (placed[i]) {
        continue;
      }
      List<Integer> members = placeNear(i);
      if (!makeDevice(members)) {
        if (merging == PortMerging.RENUMBERED_OR_FAILED) {
          throw new UnusableTopologyException(
              "NCCL fails, as its network refuses to merge %s: expected NCCL_NET_MERGE_LEVEL=LOC"
                  .formatted(members.stream().map(member -> ports.get(member).name()).toList()));
        }
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

  private void measureDistances() {
    for (int i = 0; i < ports.size(); i++) {
      for (int j = 0; j < ports.size(); j++) {
        distances[i][j] =
            NicGeometry.of(List.of(ports.get(i).net(), ports.get(j).net())).distance();
      }
    }
  }

  /** Marks a port and the remaining ports near it as placed; returns them. */
  private List<Integer> placeNear(int first) {
    List<Integer> members = new ArrayList<>();
    members.add(first);
    placed[first] = true;
    for (int j = 0; j < ports.size() && members.size() < NicMerging.MAX_PORTS; j++) {
      if (!placed[j] && distances[first][j].isWithin(rules.level())) {
        members.add(j);
        placed[j] = true;
      }
    }
    return members;
  }

  /** Makes a virtual device; false if the network refuses. */
  private boolean makeDevice(List<Integer> members) {
    boolean sameLayer = members.stream().map(i -> ports.get(i).linkLayer()).distinct().count() == 1;
    if (members.size() > 1 && !(rules.allowed() && sameLayer)) {
      return false;
    }
    devices.add(List.copyOf(members));
    return true;
  }
}
