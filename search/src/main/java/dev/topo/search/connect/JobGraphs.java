package dev.topo.search.connect;

import dev.topo.model.Link.PathType;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.PathRules;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A job with the graphs of its domains: the second stage of an evaluation.
 *
 * @param domains the job and the domains of its machines
 * @param ofMachine the graphs of each machine's domains; equal machines share them
 */
public record JobGraphs(JobDomains domains, Map<Machine, List<DomainGraphs>> ofMachine) {
  public JobGraphs {
    ofMachine = Collections.unmodifiableMap(new LinkedHashMap<>(ofMachine));
  }

  /**
   * Takes the graphs of each domain from a source, usually a search.
   *
   * @param inputs reads the files that settings name
   * @throws UnusableTopologyException where NCCL would not start
   */
  public static JobGraphs of(JobDomains domains, GraphSource source, Inputs inputs) {
    Map<Machine, List<DomainGraphs>> ofMachine = new LinkedHashMap<>();
    domains
        .ofMachine()
        .forEach(
            (machine, split) ->
                ofMachine.put(machine, DomainGraphs.of(split, machine.settings(), source, inputs)));
    return new JobGraphs(domains, ofMachine);
  }

  /**
   * A domain and its graphs.
   *
   * @param domain GPUs that reach each other without the network, and their devices
   * @param graphs the graphs of the domain
   */
  public record DomainGraphs(Domain domain, NodeGraphs graphs) {
    /**
     * Takes the graphs of the domains of a machine from a source, usually a search.
     *
     * @param settings the settings of the machine
     * @param inputs reads the files that settings name
     * @throws UnusableTopologyException where NCCL would not start
     */
    public static List<DomainGraphs> of(
        List<Domain> domains, NcclSettings settings, GraphSource source, Inputs inputs) {
      return domains.stream()
          .map(domain -> new DomainGraphs(domain, source.graphs(domain, settings, inputs)))
          .toList();
    }
  }

  /**
   * The properties of graphs on which the nodes of a job agree, so that all ranks make the same
   * choices: the worst value of each property, and the same number of rings and trees ({@code
   * initTransportsRank}, {@code nccl:src/init.cc}). Immutable.
   */
  static final class GraphAgreement {
    private final Map<GraphKind, Terms> terms = new EnumMap<>(GraphKind.class);

    /** The agreed properties of the graphs of one kind. */
    private static final class Terms {
      private int nChannels = Integer.MAX_VALUE;
      private boolean sameChannels = true;
      private float bwIntra = Float.POSITIVE_INFINITY;
      private float bwInter = Float.POSITIVE_INFINITY;
      private float latencyInter;
      private PathType typeIntra = PathType.LOC;
      private PathType typeInter = PathType.LOC;
      private int crossNic;

      void add(ChannelGraph graph, PathRules paths) {
        nChannels = Math.min(nChannels, graph.nChannels());
        sameChannels &= graph.sameChannels();
        bwIntra = Math.min(bwIntra, graph.bwIntra());
        bwInter = Math.min(bwInter, graph.bwInter());
        latencyInter = Math.max(latencyInter, graph.latencyInter());
        typeIntra = paths.farther(typeIntra, graph.typeIntra());
        typeInter = paths.farther(typeInter, graph.typeInter());
        crossNic = Math.max(crossNic, graph.crossNic());
      }

      ChannelGraph applyTo(ChannelGraph graph) {
        return new ChannelGraph(
            graph.kind(),
            graph.pattern(),
            crossNic,
            bwIntra,
            bwInter,
            latencyInter,
            typeIntra,
            typeInter,
            sameChannels,
            graph.channels().subList(0, nChannels));
      }
    }

    /**
     * Computes the agreement of the nodes of a job.
     *
     * @param graphs the graphs of each distinct node
     */
    GraphAgreement(Collection<NodeGraphs> graphs, PathRules paths) {
      for (NodeGraphs ofNode : graphs) {
        for (ChannelGraph graph : ofNode.all()) {
          terms.computeIfAbsent(graph.kind(), kind -> new Terms()).add(graph, paths);
        }
      }
      int nChannels = Math.min(nChannels(GraphKind.RING), nChannels(GraphKind.TREE));
      terms(GraphKind.RING).nChannels = nChannels;
      terms(GraphKind.TREE).nChannels = nChannels;
    }

    private Terms terms(GraphKind kind) {
      return Objects.requireNonNull(terms.get(kind));
    }

    int nChannels(GraphKind kind) {
      return terms(kind).nChannels;
    }

    float bwIntra(GraphKind kind) {
      return terms(kind).bwIntra;
    }

    float bwInter(GraphKind kind) {
      return terms(kind).bwInter;
    }

    /**
     * The graphs of a node with the agreed properties. Pattern and order of GPUs remain those of
     * the node. NCCL does not exchange latencies; here the largest is used.
     */
    NodeGraphs applyTo(NodeGraphs graphs) {
      return new NodeGraphs(
          graphs.all().stream().map(graph -> terms(graph.kind()).applyTo(graph)).toList());
    }
  }

  /**
   * A job whose machines are split into domains, groups of GPUs that reach each other without the
   * network, with their paths: the first stage of an evaluation.
   *
   * @param job the job
   * @param profile the rules of the release
   * @param ofMachine the domains of each machine; equal machines share them
   */
  public record JobDomains(Job job, NcclProfile profile, Map<Machine, List<Domain>> ofMachine) {
    public JobDomains {
      ofMachine = Collections.unmodifiableMap(new LinkedHashMap<>(ofMachine));
    }

    /**
     * Splits the machines of a job.
     *
     * @param profile the rules, by which the topologies of the machines were built
     * @throws UnusableTopologyException where NCCL fails with an internal error
     */
    public static JobDomains of(Job job, NcclProfile profile) {
      Map<Machine, List<Domain>> ofMachine = new LinkedHashMap<>();
      for (Machine machine : job.machines()) {
        ofMachine.computeIfAbsent(
            machine,
            key -> DomainFinder.find(key.topology(), key.settings(), crossesNetwork(job), profile));
      }
      return new JobDomains(job, profile, ofMachine);
    }

    private static boolean crossesNetwork(Job job) {
      return job.machines().size() > 1;
    }

    /** True if NVLink does not join all hosts into one node. */
    boolean hasSeveralHosts() {
      return crossesNetwork(job)
          || ofMachine.keySet().stream()
              .anyMatch(
                  machine ->
                      DomainFinder.separatesHosts(machine.topology(), machine.settings(), profile));
    }
  }
}
