package dev.topo.search.topology;

import dev.topo.model.Topology;
import dev.topo.search.rules.NcclProfile;
import java.util.List;

/** The hosts of a topology that was joined from several ({@link NvlinkDomain}). */
public final class HostTopologies {
  private HostTopologies() {}

  /**
   * The topology of each host with GPUs, without the other hosts; the given topology if it has only
   * one host. GPUs keep their ranks.
   */
  public static List<Topology> of(Topology topology, NcclProfile profile) {
    return topology.nHosts() < 2
        ? List.of(topology)
        : topology.gpus().stream()
            .map(gpu -> gpu.systemId())
            .distinct()
            .sorted()
            .map(host -> TopologyBuilder.fromHost(topology, host, profile).build())
            .toList();
  }
}
