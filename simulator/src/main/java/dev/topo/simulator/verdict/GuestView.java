package dev.topo.simulator.verdict;

import dev.topo.inspect.guest.DevicePairing;
import dev.topo.inspect.guest.GuestMachine;
import dev.topo.model.Link.PathType;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.search.connect.JobGraphs.DomainGraphs;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.path.NicAccessFinder;
import dev.topo.search.path.NicAccessFinder.NicAccess;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.evaluate.JobEvaluator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What NCCL finds on a machine, as far as virtualization can change it.
 *
 * @param nearest for each GPU in the order of their numbers, its preferred port and the path to it;
 *     empty without a network
 * @param alone graphs of a job on this machine only
 * @param between graphs of a job on several such machines; empty without a network
 */
public record GuestView(
    List<NearestPort> nearest, Map<GraphKind, Found> alone, Map<GraphKind, Found> between) {
  /**
   * Compares what NCCL finds on a virtual machine without a topology file and with one, and on its
   * host.
   *
   * @param hostName name of the host
   * @param pairing the pairs of host and guest devices
   * @param host the devices of the host that the guest has
   * @param before the guest as it is
   * @param beforeIsAssumed whether the guest is unknown and therefore assumed to be flat
   * @param after the guest with the file
   * @param remarks notes for the user, a line each
   */
  public record GuestComparison(
      String hostName,
      DevicePairing pairing,
      GuestView host,
      GuestView before,
      boolean beforeIsAssumed,
      GuestView after,
      List<String> remarks) {
    public GuestComparison {
      remarks = List.copyOf(remarks);
    }

    /**
     * Compares a guest without and with a topology file.
     *
     * @param dump the topology that NCCL dumped on the guest, if any
     * @param views creates the view of a machine
     * @param guesses notes on assumed facts about the guest
     */
    public static GuestComparison of(
        String hostName,
        GuestMachine machine,
        DevicePairing pairing,
        Optional<XmlElement> dump,
        Function<XmlElement, GuestView> views,
        List<String> guesses) {
      List<String> remarks = new ArrayList<>(guesses);
      remarks.addAll(pairing.remarks());
      remarks.addAll(machine.remarks());
      return new GuestComparison(
          hostName,
          pairing,
          views.apply(machine.host()),
          views.apply(dump.orElse(machine.flat())),
          dump.isEmpty(),
          views.apply(machine.complete()),
          remarks);
    }
  }

  private static final List<GraphKind> KINDS = List.of(GraphKind.RING, GraphKind.TREE);

  public GuestView {
    nearest = List.copyOf(nearest);
    alone = Collections.unmodifiableMap(new LinkedHashMap<>(alone));
    between = Collections.unmodifiableMap(new LinkedHashMap<>(between));
  }

  /**
   * A GPU and the port that it prefers.
   *
   * @param gpu bus id of the GPU
   * @param path type of the path between them
   * @param gdr whether GPUDirect RDMA is used
   */
  public record NearestPort(String gpu, String port, PathType path, boolean gdr) {}

  /**
   * The channels of a graph.
   *
   * @param bandwidthGBps bandwidth of each channel
   * @param path type of the farthest path: to the network if the graph crosses it, otherwise
   *     between GPUs
   */
  public record Found(int channels, float bandwidthGBps, PathType path) {}

  /** Determines the view of a topology under given settings and the rules of a release. */
  public static GuestView of(
      JobEvaluator evaluator, Topology topology, NcclSettings settings, NcclProfile profile) {
    Map<GraphKind, Found> alone = graphs(evaluator, topology, settings, profile, false);
    if (topology.nets().isEmpty()) {
      return new GuestView(List.of(), alone, Map.of());
    }
    return new GuestView(
        nearest(topology, settings, profile),
        alone,
        graphs(evaluator, topology, settings, profile, true));
  }

  private static Map<GraphKind, Found> graphs(
      JobEvaluator evaluator,
      Topology topology,
      NcclSettings settings,
      NcclProfile profile,
      boolean manyNodes) {
    DomainGraphs first = evaluator.graphs(topology, settings, manyNodes, profile).get(0);
    Map<GraphKind, Found> found = new LinkedHashMap<>();
    for (GraphKind kind : KINDS) {
      ChannelGraph graph = first.graphs().get(kind);
      boolean crosses = first.domain().crossesNetwork();
      found.put(
          kind,
          new Found(
              graph.nChannels(),
              crosses ? graph.bwInter() : graph.bwIntra(),
              crosses ? graph.typeInter() : graph.typeIntra()));
    }
    return found;
  }

  private static List<NearestPort> nearest(
      Topology topology, NcclSettings settings, NcclProfile profile) {
    List<NearestPort> ports = new ArrayList<>();
    for (Domain domain : DomainFinder.find(topology, settings, true, profile)) {
      NicAccessFinder finder = new NicAccessFinder(domain, settings);
      List<GpuNode> gpus = domain.topology().gpus();
      for (int g = 0; g < gpus.size(); g++) {
        if (domain.paths().localDevices().netsNear(g).length > 0) {
          int net = domain.paths().localDevices().netFor(g, 0);
          NicAccess access = finder.find(g, net);
          NetNode port = domain.topology().nets().get(net);
          ports.add(
              new NearestPort(
                  gpus.get(g).busId().text(), port.name(), access.used(), access.gdr().allowed()));
        }
      }
    }
    return ports;
  }
}
