package dev.topo.search.topology;

import dev.topo.model.Topology;
import dev.topo.search.rules.NcclProfile;
import java.util.List;
import java.util.stream.IntStream;

/** The hosts of a topology that was joined from several ({@link NvlinkDomain}). */
public final class HostTopologies {
  private HostTopologies() {}

  /**
   * The topology of each host with GPUs, as it is without the others; the given one where there is
   * only one host. GPUs keep their ranks.
   */
  public static List<Topology> of(Topology topology, NcclProfile profile) {
    return count(topology) < 2
        ? List.of(topology)
        : hosts(topology)
            .sorted()
            .mapToObj(host -> TopologyBuilder.fromHost(topology, host, profile).build())
            .toList();
  }

  /** Number of hosts with GPUs. */
  public static long count(Topology topology) {
    return hosts(topology).count();
  }

  private static IntStream hosts(Topology topology) {
    return topology.gpus().stream().mapToInt(gpu -> gpu.id().systemId()).distinct();
  }
}
