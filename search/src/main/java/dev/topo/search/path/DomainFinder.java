package dev.topo.search.path;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.PathRules.NvlinkDomains;
import dev.topo.search.topology.HostTopologies;
import dev.topo.search.topology.TopologyBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Splits a machine into the groups of GPUs that reach each other without the network ({@code
 * ncclTopoTrimSystem}, {@code nccl:src/graph/paths.cc}). Usually there is one. The hosts of an
 * NVLink domain (MNNVL) are one machine, and separate groups where the settings forbid the domain.
 */
public final class DomainFinder {
  /** The setting for the id of the NVLink cluster. */
  public static final String CLUSTER = "NCCL_MNNVL_UUID";

  /** The default of NCCL_MNNVL_ENABLE. */
  private static final int JOIN_IF_POSSIBLE = 2;

  private DomainFinder() {}

  /**
   * The domains of a machine, in the order of their first GPUs. The settings select and merge its
   * ports.
   *
   * @param crossesNetwork whether the job has GPUs on other machines
   * @throws UnusableTopologyException where NCCL fails with an internal error
   */
  public static List<Domain> find(
      Topology machine, NcclSettings settings, boolean crossesNetwork, NcclProfile profile) {
    Topology topology = machine.seen(settings.nicMerging(), settings.hcas());
    boolean separatesHosts = separatesHosts(topology, settings, profile);
    if (crossesNetwork || separatesHosts) {
      requirePorts(machine, topology, settings);
    }
    if (separatesHosts) {
      return HostTopologies.of(topology, profile).stream()
          .flatMap(host -> find(host, settings, true, profile).stream())
          .toList();
    }
    if (profile.paths().nvlinkDomains == NvlinkDomains.APART && topology.nHosts() > 1) {
      throw UnusableTopologyException.withoutRules(
          "NVLink domains of several hosts are not modelled for NCCL "
              + profile.version()
              + ": expected 2.21.5 or newer");
    }
    Paths paths = PathFinder.find(topology, settings, profile);
    List<Set<GpuNode>> groups = groups(paths);
    boolean keepsPorts = profile.paths().keepsPortsOfOneNode;
    boolean hasPorts = !topology.nets().isEmpty();
    if (groups.size() == 1) {
      boolean removesPorts = !crossesNetwork && !keepsPorts && hasPorts;
      return List.of(
          removesPorts
              ? new Domain(
                  PathFinder.find(withoutPorts(topology, profile), settings, profile), false)
              : new Domain(paths, crossesNetwork && (keepsPorts || hasPorts)));
    }
    List<Domain> domains = new ArrayList<>();
    for (Set<GpuNode> group : groups) {
      Topology part = only(topology, group, profile);
      domains.add(
          new Domain(
              PathFinder.findInPart(part, settings, profile, paths), keepsPorts || hasPorts));
    }
    return domains;
  }

  private static void requirePorts(Topology machine, Topology selected, NcclSettings settings) {
    if (selected.nets().isEmpty() && !machine.merged(Optional.empty()).nets().isEmpty()) {
      throw UnusableTopologyException.withoutRules(
          "NCCL_IB_HCA=%s matches none of its ports, so that NCCL uses TCP over interfaces that the file does not have: expected the names of ports, or NCCL_NET=Socket for times of TCP"
              .formatted(settings.hcas().orElse("")));
    }
  }

  private static Topology withoutPorts(Topology topology, NcclProfile profile) {
    return TopologyBuilder.from(topology, node -> !(node instanceof NetNode), profile).build();
  }

  /** True if the hosts of an NVLink domain are separate nodes. */
  public static boolean separatesHosts(
      Topology topology, NcclSettings settings, NcclProfile profile) {
    return topology.nHosts() > 1 && !joinsHosts(profile.complete(settings));
  }

  /**
   * True if NCCL treats hosts on one NVLink network as one node. NVLink between hosts is
   * peer-to-peer traffic, so a level that forbids P2P also forbids it, unless NCCL_MNNVL_ENABLE
   * requires it; GPUs with cluster id 0 are in no cluster ({@code ncclMnnvlCheck}, {@code
   * nccl:src/mnnvl.cc}, and {@code initTransportsRank}, {@code nccl:src/init.cc}).
   */
  public static boolean joinsHosts(NcclSettings settings) {
    int enable = settings.integer("NCCL_MNNVL_ENABLE", JOIN_IF_POSSIBLE);
    boolean forbidden = settings.p2pLevel().filter(level -> level == PathType.LOC).isPresent();
    return hasCluster(settings) && (enable == 1 || (enable != 0 && !forbidden));
  }

  /** True if GPUs belong to a cluster: the id 0 means none ({@code nccl:src/mnnvl.cc}). */
  public static boolean hasCluster(NcclSettings settings) {
    return settings.longInteger(CLUSTER, -1) != 0;
  }

  private static List<Set<GpuNode>> groups(Paths paths) {
    int[] gpus = paths.topology().indexes(NodeType.GPU);
    int[] group = new int[gpus.length];
    Map<Integer, Set<GpuNode>> members = new LinkedHashMap<>();
    for (int g = 0; g < gpus.length; g++) {
      group[g] = g;
      for (int p = 0; p < g; p++) {
        if (paths.type(gpus[g], gpus[p]).rank() < PathType.NET.rank()) {
          group[g] = Math.min(group[g], group[p]);
        }
      }
      members
          .computeIfAbsent(group[g], key -> new LinkedHashSet<>())
          .add(paths.topology().gpus().get(g));
    }
    return List.copyOf(members.values());
  }

  private static Topology only(Topology topology, Set<GpuNode> gpus, NcclProfile profile) {
    return TopologyBuilder.from(
            topology, node -> !(node instanceof GpuNode gpu) || gpus.contains(gpu), profile)
        .build();
  }
}
