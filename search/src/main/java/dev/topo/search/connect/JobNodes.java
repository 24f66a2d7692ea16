package dev.topo.search.connect;

import dev.topo.model.GpuNode;
import dev.topo.model.graph.NodeGraphs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.path.Paths;
import dev.topo.search.rules.NcclProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes of a job in NCCL's order and the ranks on them. NCCL numbers nodes in the order of
 * their first ranks ({@code initTransportsRank}, {@code nccl:src/init.cc}): by machine, and on a
 * machine by the lowest rank. Equal nodes are one {@link NodeTemplate}; each node adds two numbers,
 * each rank one. Immutable.
 */
final class JobNodes {
  private final List<NodeTemplate> kinds = new ArrayList<>();
  private final List<NodeTemplate> distinctKinds;
  private final int[] firstRankOfMachine;
  private final int[] nodeOfRank;
  private final boolean severalHosts;

  /** Splits the machines of a job into nodes, whose graphs come from {@code source}. */
  JobNodes(Job job, GraphSource source, NcclProfile profile) {
    boolean crossesNetwork = job.machines().size() > 1;
    Map<Machine, List<NodeTemplate>> kindsOf = new HashMap<>();
    nodeOfRank = new int[job.nRanks()];
    int[] firstRanks = new int[nodeOfRank.length];
    int firstRank = 0;
    for (Machine machine : job.machines()) {
      for (NodeTemplate kind :
          kindsOf.computeIfAbsent(machine, m -> kinds(m, crossesNetwork, source, profile))) {
        for (GpuNode gpu : kind.gpus()) {
          nodeOfRank[firstRank + gpu.rank()] = kinds.size();
        }
        firstRanks[kinds.size()] = firstRank;
        kinds.add(kind);
      }
      firstRank += machine.nRanks();
    }
    severalHosts =
        crossesNetwork
            || kindsOf.keySet().stream()
                .anyMatch(m -> DomainFinder.separatesHosts(m.topology(), m.settings(), profile));
    distinctKinds = kinds.stream().distinct().toList();
    firstRankOfMachine = Arrays.copyOf(firstRanks, kinds.size());
  }

  private static List<NodeTemplate> kinds(
      Machine machine, boolean crossesNetwork, GraphSource source, NcclProfile profile) {
    List<NodeTemplate> kinds = new ArrayList<>();
    for (Domain domain :
        DomainFinder.find(machine.topology(), machine.settings(), crossesNetwork, profile)) {
      NodeGraphs graphs = source.graphs(domain, machine.settings());
      kinds.add(new NodeTemplate(domain, graphs));
    }
    kinds.sort(Comparator.comparingInt(kind -> kind.gpus().get(0).rank()));
    return kinds;
  }

  /** Whether there are hosts that NVLink does not join to one node. */
  boolean hasSeveralHosts() {
    return severalHosts;
  }

  int nNodes() {
    return kinds.size();
  }

  int nRanks() {
    return nodeOfRank.length;
  }

  int nodeOf(int rank) {
    return nodeOfRank[rank];
  }

  NodeTemplate kind(int node) {
    return kinds.get(node);
  }

  /** The kinds of nodes, each once, in the order in which they appear. */
  List<NodeTemplate> kinds() {
    return distinctKinds;
  }

  int minSm() {
    return kinds().stream()
        .mapToInt(kind -> kind.domain().topology().minSm().orElseThrow())
        .min()
        .orElseThrow();
  }

  int minLocalRanks() {
    return kinds().stream().mapToInt(NodeTemplate::size).min().orElseThrow();
  }

  /** Bandwidth of the slowest port that a GPU uses; 0 if one reaches no port. */
  float slowestPortGBps() {
    float slowest = Float.POSITIVE_INFINITY;
    for (NodeTemplate kind : kinds()) {
      Paths paths = kind.domain().paths();
      for (int gpu = 0; gpu < kind.size(); gpu++) {
        boolean reachesPort = paths.localDevices().netsNear(gpu).length > 0;
        slowest = Math.min(slowest, reachesPort ? GpuPorts.all(paths, gpu).slowestGBps() : 0);
      }
    }
    return slowest;
  }

  /** The rank in the job of a GPU that has a given rank on the machine of a node. */
  int toJob(int node, int rankOnMachine) {
    return firstRankOfMachine[node] + rankOnMachine;
  }

  /** The rank on its machine of a GPU that has a given rank in the job. */
  int toMachine(int rank) {
    return rank - firstRankOfMachine[nodeOfRank[rank]];
  }
}
