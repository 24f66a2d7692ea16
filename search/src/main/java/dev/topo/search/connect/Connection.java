package dev.topo.search.connect;

import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.connect.JobGraphs.GraphAgreement;
import dev.topo.search.connect.JobGraphs.JobDomains;
import dev.topo.search.connect.JobNodes.NodeTemplate;
import dev.topo.search.connect.P2pChannels.PeerPorts;
import dev.topo.search.engine.ChannelPlan;
import dev.topo.search.engine.ChannelPlan.ChannelLimits;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Domain.PeerAccess;
import dev.topo.search.path.Transport;
import dev.topo.search.rules.ConnectRules;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.SettingVersions;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A job as NCCL connects it: its nodes, the values on which they agree, and the neighbours of every
 * rank in every channel ({@code initTransportsRank}, {@code nccl:src/init.cc}). Nodes are counted
 * as in NCCL: a machine whose GPUs do not all reach each other without the network has several
 * nodes. Decisions for all ranks follow the settings of the first machine, as NCCL requires equal
 * settings. Equal machines are searched once; all other work grows with the number of ranks.
 * Immutable.
 */
public final class Connection {
  /** A missing rank, as in NCCL. */
  public static final int NONE = -1;

  private static final String RUNTIME_CONNECT = "NCCL_RUNTIME_CONNECT";

  private final NcclProfile profile;
  private final NcclSettings settings;
  private final JobNodes nodes;
  private final GraphAgreement agreement;
  private final ChannelLimits limits;
  private final ChannelPlan plan;
  private final int unraisedChannels;
  private final Rings rings;
  private final Trees trees;
  private final Nvls nvls;
  private final Optional<CollNet> collNet;

  private Connection(
      NcclProfile profile,
      NcclSettings settings,
      JobNodes nodes,
      GraphAgreement agreement,
      ChannelLimits limits,
      ChannelPlan plan,
      int unraisedChannels,
      Nvls nvls,
      Optional<CollNet> collNet) {
    this.profile = profile;
    this.settings = settings;
    this.nodes = nodes;
    this.agreement = agreement;
    this.limits = limits;
    this.plan = plan;
    this.unraisedChannels = unraisedChannels;
    this.rings = new Rings(nodes, plan, profile.connect().ringAlternation);
    this.trees = new Trees(nodes, plan);
    this.nvls = nvls;
    this.collNet = collNet;
  }

  /**
   * Searches for the graphs of a job and connects it.
   *
   * @throws UnusableTopologyException where NCCL fails or its behaviour is undefined
   */
  public static Connection of(Job job) {
    return of(job, GraphSearch::findAll);
  }

  public static Connection of(Job job, GraphSource source) {
    return of(job, source, NcclProfile.DEFAULT);
  }

  public static Connection of(Job job, GraphSource source, NcclProfile profile) {
    return of(JobGraphs.of(JobDomains.of(job, profile), source, new Inputs()));
  }

  /**
   * Connects a job whose graphs are known.
   *
   * @throws UnusableTopologyException where NCCL fails or its behaviour is undefined
   */
  public static Connection of(JobGraphs jobGraphs) {
    NcclProfile profile = jobGraphs.domains().profile();
    ConnectRules rules = profile.connect();
    NcclSettings settings = profile.complete(jobGraphs.domains().job().settings());
    JobNodes nodes = JobNodes.of(jobGraphs);
    GraphAgreement agreement =
        new GraphAgreement(
            nodes.templates().stream().map(NodeTemplate::graphs).toList(), profile.paths());
    ChannelLimits limits = ChannelLimits.of(settings, rules);
    if (!nodes.graphsWithoutPort().isEmpty() && connectsAtStart(settings, profile)) {
      profile.failBy(NcclProfile.ABSENT_PORT);
    }
    Nvls nvls = new Nvls(nodes, agreement, limits, nodes.hasSeveralHosts(), profile);
    boolean usesCollNet = usesCollNet(nodes, agreement, settings, rules);
    ChannelPlan unraised =
        ChannelPlan.of(
            agreement.nChannels(GraphKind.RING),
            usesCollNet && collNetNeedsMoreChannels(nodes, agreement),
            hasFastNodes(nodes, agreement, rules) ? nodes.minSm() : 0,
            limits,
            rules);
    ChannelPlan plan = unraised.raisedTo(nvls.minChannels());
    return new Connection(
        profile,
        settings,
        nodes,
        agreement,
        limits,
        plan,
        unraised.size(),
        nvls,
        usesCollNet
            ? Optional.of(new CollNet(nodes, plan, agreement, nvls, profile))
            : Optional.empty());
  }

  /** True if NCCL connects rings and trees at start-up ({@code runtimeConn} is off). */
  private static boolean connectsAtStart(NcclSettings settings, NcclProfile profile) {
    return SettingVersions.absence(RUNTIME_CONNECT, profile).isPresent()
        || settings.integer(RUNTIME_CONNECT, 1) == 0
        || settings.integer("NCCL_CUMEM_ENABLE", 1) == 0;
  }

  private static boolean usesCollNet(
      JobNodes nodes, GraphAgreement agreement, NcclSettings settings, ConnectRules rules) {
    return agreement.nChannels(GraphKind.COLLNET_CHAIN) > 0
        && nodes.nNodes() >= settings.integer("NCCL_COLLNET_NODE_THRESHOLD", 0)
        && !(rules.largeNodesPreventChains && nodes.maxLocalRanks() > rules.directRanks);
  }

  private static boolean collNetNeedsMoreChannels(JobNodes nodes, GraphAgreement agreement) {
    return nodes.nRanks() > nodes.nNodes()
        && agreement.bwIntra(GraphKind.COLLNET_CHAIN) > agreement.bwInter(GraphKind.COLLNET_CHAIN);
  }

  private static boolean hasFastNodes(
      JobNodes nodes, GraphAgreement agreement, ConnectRules rules) {
    return nodes.nNodes() > 1 && agreement.bwIntra(GraphKind.RING) > rules.doubledAboveGBps;
  }

  public NcclProfile profile() {
    return profile;
  }

  /**
   * The kinds of graphs with a channel that leaves a node by a port that the node does not have;
   * empty for a job of one node.
   */
  public Set<GraphKind> graphsWithoutPort() {
    return nodes.graphsWithoutPort();
  }

  /** The settings of all ranks, including the defaults of the release. */
  public NcclSettings settings() {
    return settings;
  }

  /** The transport by which a rank sends to a peer, which may be itself. */
  public Transport transport(int rank, int peer) {
    int node = nodes.nodeOf(rank);
    return nodes.nodeOf(peer) == node
        ? Transport.between(domain(node), localGpu(rank), localGpu(peer), settings)
        : Transport.NET;
  }

  /** How P2P connects a rank to a peer on its node. */
  public PeerAccess peerAccess(int rank, int peer) {
    return PeerAccess.between(domain(nodes.nodeOf(rank)), localGpu(rank), localGpu(peer));
  }

  /** True if two GPUs of a node exchange data over the NVLinks of a third one. */
  public boolean hasRelays() {
    return domains().anyMatch(PeerAccess::hasRelays);
  }

  /** The order in which ranks send to and receive from each other. */
  public P2pSchedule p2pSchedule() {
    int group = settings.integer("NCCL_P2P_SCHEDULE_GROUP_SIZE", profile.connect().scheduleGroup);
    return new P2pSchedule(
        nodeNumbers().mapToObj(this::ranksOf).toList(), group, profile.connect());
  }

  /**
   * The port by which a rank sends to a rank of another node, and the rank that drives it.
   *
   * @param channel the channel of the peer
   */
  public PeerPort peerPort(int rank, int peer, int channel) {
    PeerPorts ports = peerPorts();
    return ports.port(rank, ports.device(peer), channel);
  }

  /**
   * True if every node has a port for its sends to other nodes. Without ports the search assumes a
   * network, and the ports that NCCL finds at run time are unknown.
   */
  public boolean hasPorts() {
    return topologies().noneMatch(topology -> topology.nets().isEmpty());
  }

  /** The ports by which ranks send to ranks of other nodes. */
  public PeerPorts peerPorts() {
    return new PeerPorts(nodes, settings);
  }

  /** The index of a rank's GPU among the GPUs of its node. */
  public int localGpu(int rank) {
    return nodes.template(nodes.nodeOf(rank)).gpuIndex(nodes.machineRank(rank));
  }

  /** The rank of a GPU, given its index among the GPUs of its node. */
  public int rankOf(int node, int localGpu) {
    return nodes.jobRank(node, domain(node).topology().gpus().get(localGpu).rank());
  }

  public int nRanks() {
    return nodes.nRanks();
  }

  public int nNodes() {
    return nodes.nNodes();
  }

  public IntStream nodeNumbers() {
    return IntStream.range(0, nNodes());
  }

  /** The number of nodes as text: {@code 2 nodes}, {@code 1 NVLink domain of 18 hosts}. */
  public String nodeWords() {
    int hosts = nodeNumbers().map(node -> domain(node).topology().nHosts()).sum();
    return nodeWords(nNodes(), hosts);
  }

  /** The text of {@link #nodeWords()} for a number of nodes and the total number of their hosts. */
  public static String nodeWords(int nodes, int hosts) {
    return hosts <= nodes
        ? QuantityFormat.count(nodes, "node")
        : "%s of %s hosts%s"
            .formatted(
                QuantityFormat.count(nodes, "NVLink domain"), hosts, nodes == 1 ? "" : " in all");
  }

  public int nodeOf(int rank) {
    return nodes.nodeOf(rank);
  }

  /** The ranks on a node, in order. */
  public List<Integer> ranksOf(int node) {
    return nodes.template(node).gpus().stream()
        .map(gpu -> nodes.jobRank(node, gpu.rank()))
        .toList();
  }

  public int localRanks(int node) {
    return nodes.template(node).size();
  }

  public int minLocalRanks() {
    return nodes.minLocalRanks();
  }

  public int maxLocalRanks() {
    return nodes.maxLocalRanks();
  }

  public int minSm() {
    return nodes.minSm();
  }

  /**
   * The highest compute capability of the GPUs. In releases in which each rank uses only its own,
   * the lowest.
   */
  public int maxSm() {
    if (profile.connect().ownSmOnly) {
      return minSm();
    }
    return topologies()
        .flatMap(topology -> topology.gpus().stream())
        .mapToInt(GpuNode::sm)
        .max()
        .orElseThrow();
  }

  /**
   * The first CPU of each distinct node; they determine the CPU type that NCCL uses for the job.
   */
  public List<CpuNode> firstCpus() {
    return topologies().map(Topology::firstCpu).toList();
  }

  /** The topologies of the distinct nodes. */
  public Stream<Topology> topologies() {
    return domains().map(Domain::topology);
  }

  /** The domains of the distinct nodes. */
  public Stream<Domain> domains() {
    return nodes.templates().stream().map(NodeTemplate::domain);
  }

  /** The domain of a node; the same object for equal nodes. */
  public Domain domain(int node) {
    return nodes.template(node).domain();
  }

  /** The graphs that the search found on a node; the same object for equal nodes. */
  public NodeGraphs searchedGraphs(int node) {
    return nodes.template(node).searchedGraphs();
  }

  /**
   * The graphs of a node after the nodes have agreed: bandwidths, path types and numbers of
   * channels are the worst of all nodes.
   */
  public NodeGraphs agreedGraphs(int node) {
    return agreement.applyTo(nodes.template(node).graphs());
  }

  /** The tree pattern with the highest number in NCCL among those of the nodes. */
  public Pattern maxTreePattern() {
    return nodes.templates().stream()
        .map(NodeTemplate::treePattern)
        .max(Comparator.comparingInt(Pattern::number))
        .orElseThrow();
  }

  /** The first node with the pattern {@link #maxTreePattern}. */
  public int nodeOfTreePattern() {
    Pattern pattern = maxTreePattern();
    return kindNodes()
        .filter(node -> nodes.template(node).treePattern() == pattern)
        .findFirst()
        .orElseThrow();
  }

  /** Number of channels for rings, trees and chains. */
  public int nChannels() {
    return plan.size();
  }

  /** Number of channels for collectives before NVLS raises it. */
  public int unraisedChannels() {
    return unraisedChannels;
  }

  /** Number of channels that the search finds on every node. */
  public int searchedChannels() {
    return plan.searched();
  }

  /** The derivation of the number of channels, step by step. */
  public List<ChannelPlan.Step> channelSteps() {
    return plan.steps();
  }

  /** The name of a port in the topology file; without one, {@code NET} and its number. */
  public String portName(int node, NodeId port) {
    return domain(node).topology().nets().stream()
        .filter(net -> net.id().equals(port))
        .map(net -> net.name().isEmpty() ? "NET " + net.dev() : net.name())
        .findFirst()
        .orElse("NET " + port);
  }

  public Rings rings() {
    return rings;
  }

  public Trees trees() {
    return trees;
  }

  /** NVLink multicast; check {@link Nvls#isSupported} before use. */
  public Nvls nvls() {
    return nvls;
  }

  /** In-network reduction; empty unless all nodes support it and there are enough of them. */
  public Optional<CollNet> collNet() {
    return collNet;
  }

  /** The channels for sends and receives, as the ranks of a node compute them. */
  public P2pChannels p2pChannels(int node) {
    return P2pChannels.of(
        domain(node),
        domains().toList(),
        nRanks(),
        nChannels(),
        settings,
        limits.maxForArguments());
  }

  /** The buffer sizes, as the ranks of a node compute them. */
  public BufferSizes bufferSizes(int node) {
    boolean arm = firstCpus().stream().allMatch(cpu -> cpu.arch() == CpuArch.ARM);
    return BufferSizes.of(profile, settings, nNodes() > 1, isAllNvlink(node), arm ? minSm() : 0);
  }

  /** True if {@link #isAllNvlink(int)} holds on every node. */
  public boolean isAllNvlink() {
    return kindNodes().allMatch(this::isAllNvlink);
  }

  /** The index of each rank among the ranks of its node. */
  public int[] placesOnNodes() {
    int[] places = new int[nRanks()];
    for (int node = 0; node < nNodes(); node++) {
      List<Integer> ranks = ranksOf(node);
      for (int place = 0; place < ranks.size(); place++) {
        places[ranks.get(place)] = place;
      }
    }
    return places;
  }

  /** True if every node has NVSwitches. */
  public boolean hasNvSwitch() {
    return topologies().allMatch(Topology::hasNvSwitch);
  }

  /** The first node of each kind of equal nodes. */
  public IntStream kindNodes() {
    Set<NodeTemplate> seen = new HashSet<>();
    return nodeNumbers().filter(node -> seen.add(nodes.template(node)));
  }

  /** True if NCCL considers all GPUs of a node joined by NVLink. */
  public boolean isAllNvlink(int node) {
    NodeTemplate template = nodes.template(node);
    return switch (profile.connect().allNvlinkScope) {
      case PAIR -> template.nvlinkPairs().anyMatch(isNvlink -> isNvlink);
      case NODE -> template.nvlinkPairs().allMatch(isNvlink -> isNvlink);
      case JOB ->
          nodes.templates().stream()
              .flatMap(NodeTemplate::nvlinkPairs)
              .allMatch(isNvlink -> isNvlink);
    };
  }

  /**
   * The channels that use one of the two trees of a searched channel.
   *
   * @param second true for the second tree of the pair
   */
  int[] channelsWithTree(int searched, boolean second) {
    return IntStream.range(0, nChannels())
        .filter(c -> plan.searched(c) == searched && plan.hasSecondTree(c) == second)
        .toArray();
  }
}
