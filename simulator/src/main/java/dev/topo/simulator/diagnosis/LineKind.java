package dev.topo.simulator.diagnosis;

import java.util.regex.Pattern;

/**
 * A kind of line that says something about a run: of nccl-tests, of a command line, or of NCCL's
 * log, in the words of all releases from 2.19 on ({@code nccl:src/init.cc}, {@code
 * nccl:src/graph/paths.cc}, {@code nccl:src/graph/xml.cc}, {@code nccl:src/transport}). Older words
 * are taken where they are common in reports.
 */
enum LineKind {
  /** A rank of nccl-tests: rank, host, GPU. */
  RANK("# *Rank +(\\d{1,6}) .*\\bon +(\\S+) +device +\\d+ +\\[[^\\]]*\\] +(\\S.*?) *$"),
  /** The test: its collective. */
  TEST("\\b(all_reduce|all_gather|reduce_scatter|broadcast|reduce)_perf"),
  /** Number of processes that a launcher starts. */
  PROCESSES("\\b(?:mpirun|mpiexec|srun)\\b.*? -(?:np|n) +(\\d{1,6})\\b"),
  /** NCCL_X set by environment to V. */
  SETTING("\\b(NCCL_[A-Z0-9_]+) set by environment to (.*?)\\.? *$"),
  /** A setting of a command line or script. */
  ASSIGNED("(?:-x|--env|-genv|\\bexport) +(NCCL_[A-Z0-9_]+)[= ]\"?([^\"\\s]+)"),
  /** NCCL's release. */
  VERSION("\\bNCCL version (\\d+\\.\\d+\\.\\d+)"),
  /** Headers that nccl-tests was built with, and the library that it loaded. */
  LIBRARY("\\bnccl-headers=(\\d{4,6}) nccl-library=(\\d{4,6})\\b"),
  /** Size of the communicator: ranks, nodes, ranks of a node. */
  COMM("\\bnRanks (\\d{1,9}) nNodes (\\d{1,9}) localRanks (\\d{1,9})\\b"),
  /** Ranks, in releases before that line. */
  RANKS("\\bncclCommInit\\w* comm \\S+ rank \\d+ nranks (\\d{1,9})\\b"),
  /** The ports that the network IB found. */
  PORTS("\\bNET/IB : Using ((?:\\[\\d+\\]\\S+ *)+)"),
  /** The network IB found none. */
  NO_PORT("\\bNET/IB : No device found"),
  /** The network of the communicator. */
  NETWORK("\\b(?:Using network|Assigned NET plugin) (\\S+)"),
  /** The provider of aws-ofi-nccl. */
  PROVIDER("\\bNET/OFI .*?[Ss]elected [Pp]rovider is ([\\w;-]+)"),
  /** A connection: sender, receiver, transport. */
  PEER(
      "\\bChannel \\d+(?:/\\d+)? : (\\d+)\\[\\w*\\] -> (\\d+)\\[\\w*\\](?: \\[\\w+\\])? via (.*?) *$"),
  /** A NIC does not access a GPU's memory. */
  GDR_OFF("\\bGPU Direct RDMA Disabled for (.*?) *$"),
  /** A NIC does. */
  GDR_ON("\\bGPU Direct RDMA Enabled for (.*?) *$"),
  /** NVLink multicast is not available. */
  NO_MULTICAST("\\bNVLS multicast support is not available on dev (\\d+)"),
  /** NVLS is set up. */
  NVLS("\\bNVLS comm \\S+ headRank"),
  /** Direct access between two GPUs failed. */
  NO_P2P("\\b((?:Could not enable P2P|P2P is disabled) between .*?)(?:\\..*)?$"),
  /** Channels: of collectives, CollNet, NVLS, peer to peer. */
  COUNTS(
      "(\\d+) coll channels, (?:(\\d+) collnet channels, )?(?:(\\d+) nvls channels, )?(\\d+) p2p channels"),
  /** A channel of the ring and how many there are. */
  CHANNEL("NCCL INFO Channel \\d+/(\\d+) :(?: +\\d+)+"),
  /** A topology file that NCCL reads. */
  TOPO_FILE("\\bLoading topology file (\\S+)"),
  /** A file that NCCL cannot read. */
  UNREADABLE("\\bCould not open XML (topology|graph) file (\\S+)"),
  /** Channels from a graph file. */
  GRAPH_FILE("\\bSearch \\d+ : (\\d+) channels loaded from XML graph"),
  /** A port in the tree of the machine: its speed in GB/s. */
  NET_SPEED("NCCL INFO .*NET\\[([\\d.]+)\\] - NET/"),
  /** A PCIe link of a device in the tree of the machine: its bandwidth in GB/s, the device. */
  PCI_SPEED("NCCL INFO .*PCI\\[([\\d.]+)\\] - (GPU|NIC)/"),
  /** An NVLink in the tree of the machine. */
  NVLINK("NCCL INFO .*NVL\\[([\\d.]+)\\] - (?:GPU|NVS)/"),
  /** The tree of the machine begins. */
  SYSTEM("=== System : maxBw ([\\d.]+)");

  private final Pattern pattern;

  LineKind(String pattern) {
    this.pattern = Pattern.compile(pattern);
  }

  Pattern pattern() {
    return pattern;
  }
}
