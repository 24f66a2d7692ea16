package dev.topo.simulator.diagnosis;

import java.util.regex.Pattern;

/**
 * Kinds of lines that state facts about a run: in the output of nccl-tests, in command lines, or in
 * NCCL's log, as worded by all releases from 2.19 on ({@code nccl:src/init.cc}, {@code
 * nccl:src/graph/paths.cc}, {@code nccl:src/graph/xml.cc}, {@code nccl:src/transport}). Older
 * wordings are included if they are common in reports. A pattern begins with its literal text if
 * that is unmistakable: searching for it is several times as fast as searching for a word boundary.
 */
enum LineKind {
  /** A rank that nccl-tests lists: rank, host, GPU name, host and bus id. */
  RANK(
      "# *Rank +(\\d{1,6}) .*\\bon +(?=(\\S+ +device +\\d+ +\\[[^\\]]*\\]))(\\S+) +device +\\d+ +\\[[^\\]]*\\] +(\\S.*?) *$"),
  /** A test of nccl-tests: its collective. */
  TEST("\\b([a-z]{3,}(?:_[a-z]+)?)_perf"),
  /** Number of processes that a launcher starts. */
  PROCESSES("\\b(?:mpirun|mpiexec|srun)\\b.*? -(?:np|n) +(\\d{1,6})\\b"),
  /** A setting that NCCL reads from the environment: name, value. */
  SETTING("(NCCL_[A-Z0-9_]+) set by environment to (.*?)\\.? *$"),
  /** A setting in a command line or script: name, value. */
  ASSIGNED("(?:-x|--env|-genv|\\bexport) +(NCCL_[A-Z0-9_]+)[= ]\"?([^\"\\s]+)"),
  /** NCCL's release. */
  VERSION("NCCL version (\\d+\\.\\d+\\.\\d+)"),
  /** Headers that nccl-tests was built with, and the library that it loaded. */
  LIBRARY("nccl-headers=(\\d{4,6}) nccl-library=(\\d{4,6})\\b"),
  /** Size of the communicator: ranks, nodes, ranks of a node. */
  COMM("nRanks (\\d{1,9}) nNodes (\\d{1,9}) localRanks (\\d{1,9})\\b"),
  /** Number of ranks, in releases that do not log {@link #COMM}. */
  RANKS("ncclCommInit\\w* comm \\S+ rank \\d+ nranks (\\d{1,9})\\b"),
  /** The ports that the network IB found. */
  PORTS("NET/IB : Using ((?:\\[\\d+\\]\\S+ *)+)"),
  /** No ports found by the network IB. */
  NO_PORT("NET/IB : No device found"),
  /** The network that the communicator uses. */
  NETWORK("(?:Using network|Assigned NET plugin) (\\S+)"),
  /** The provider of aws-ofi-nccl. */
  PROVIDER("NET/OFI .*?[Ss]elected [Pp]rovider is ([\\w;-]+)"),
  /** A connection: sender, receiver, transport. */
  PEER(
      "Channel \\d+(?:/\\d+)? : (\\d+)\\[\\w*\\] -> (\\d+)\\[\\w*\\](?: \\[\\w+\\])? via (.*?) *$"),
  /** The sender of a connection: rank, device. */
  DEVICE(" : (\\d{1,6})\\[(\\d{1,2})\\] -> "),
  /** A NIC does not access GPU memory: the NIC. */
  GDR_OFF("GPU Direct RDMA Disabled for (.*?) *$"),
  /** A NIC accesses GPU memory: the NIC. */
  GDR_ON("GPU Direct RDMA Enabled for (.*?) *$"),
  /** NVLink multicast is not available. */
  NO_MULTICAST("NVLS multicast support is not available on dev (\\d+)"),
  /** NVLS is set up. */
  NVLS("NVLS comm \\S+ headRank"),
  /** Direct access between two GPUs failed. */
  NO_P2P("((?:Could not enable P2P|P2P is disabled) between .*?)(?:\\..*)?$"),
  /** Numbers of channels: collectives, CollNet, NVLS, sends and receives. */
  COUNTS(
      "(\\d+) coll channels, (?:(\\d+) collnet channels, )?(?:(\\d+) nvls channels, )?(\\d+) p2p channels"),
  /** A channel of a ring: the number of channels. */
  CHANNEL("NCCL INFO Channel \\d+/(\\d+) :(?: +\\d+)+"),
  /** A topology file that NCCL reads. */
  TOPO_FILE("Loading topology file (\\S+)"),
  /** A file that NCCL cannot read. */
  UNREADABLE("Could not open XML (topology|graph) file (\\S+)"),
  /** Channels are read from a graph file: their number. */
  GRAPH_FILE("Search \\d+ : (\\d+) channels loaded from XML graph"),
  /** A port in the tree of the machine: its speed in GB/s. */
  NET_SPEED("NCCL INFO .*NET\\[([\\d.]+)\\] - NET/"),
  /** A PCIe link of a device in the tree of the machine: its bandwidth in GB/s, and the device. */
  PCI_SPEED("NCCL INFO .*PCI\\[([\\d.]+)\\] - (GPU|NIC)/"),
  /** An NVLink in the tree of the machine. */
  NVLINK("NCCL INFO .*NVL\\[([\\d.]+)\\] - (?:GPU|NVS)/"),
  /** Start of the tree of the machine. */
  SYSTEM("=== System : maxBw ([\\d.]+)");

  private final Pattern pattern;

  LineKind(String pattern) {
    this.pattern = Pattern.compile(pattern);
  }

  Pattern pattern() {
    return pattern;
  }
}
