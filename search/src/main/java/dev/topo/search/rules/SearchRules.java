package dev.topo.search.rules;

import dev.topo.model.PathType;
import java.util.List;

/** Numbers of the channel search ({@code nccl:src/graph/search.cc}). */
public final class SearchRules {
  private final BySm<float[]> speedsIntra;
  private final BySm<float[]> speedsInter;
  private final List<PathType> typesWithoutPeers;
  private final List<PathType> typesWithoutNetwork;

  /** Most channels of a communicator. */
  public final int maxChannels;

  /** Steps of an attempt in which every channel repeats the one before. */
  public final int stepsSameChannels;

  /** Steps of any other attempt. */
  public final int stepsDifferentChannels;

  /** Steps of the first look at GPUs in PCI order, which do not count. */
  public final int stepsPciOrder;

  /** Steps after which a search that has an answer stops relaxing. */
  public final int stepsTotal;

  /** Compute capability from which a tree that is not balanced is tried. */
  public final int plainTreeSm;

  /** Types of paths to the network below this are relaxed even when channels have been found. */
  public final PathType interTypeRelaxedBelow;

  /** The least part of a bandwidth found that a lower one must be to be tried. */
  public final double leastBandwidthShare;

  /** How many times the other bandwidth one of them is raised to in the second pass. */
  public final int raiseLimit;

  /** Channels of at least this bandwidth are doubled. */
  public final float duplicateGBps;

  /** Above this compute capability {@link #duplicateNewerGBps} counts with many channels. */
  public final int duplicateAboveSm;

  /** See {@link #duplicateAboveSm}. */
  public final float duplicateNewerGBps;

  /** Channels above which {@link #duplicateNewerGBps} counts. */
  public final int duplicateNewerChannels;

  /** GPUs below this compute capability send something back while a NIC writes to them. */
  public final int readRequestBelowSm;

  /** The part of the bandwidth that they send, as a divisor. */
  public final float readRequestDivisor;

  /** Compute capability from which GPUs have NVLink multicast. */
  public final int nvlsSm;

  /** GPUs that can be heads of NVLS. */
  public final int nvlsHeads;

  /** GPUs that can be heads of CollNetDirect. */
  public final int collNetHeads;

  /** Fewest rings on two islands of NVLink. */
  public final int islandsMinRings;

  /** Bandwidth of the channel that NCCL falls back to. */
  public final float fallbackGBps;

  private final float intelNumerator;
  private final float intelDenominator;

  SearchRules(RuleTable table) {
    speedsIntra = table.rowsBySm("search.speeds-intra.").map(RuleTable::singles);
    speedsInter = table.rowsBySm("search.speeds-inter.").map(RuleTable::singles);
    typesWithoutPeers = table.types("search.types-without-peers");
    typesWithoutNetwork = table.types("search.types-without-network");
    maxChannels = table.integer("channels.max");
    stepsSameChannels = table.integer("search.steps-same-channels");
    stepsDifferentChannels = table.integer("search.steps-different-channels");
    stepsPciOrder = table.integer("search.steps-pci-order");
    stepsTotal = table.integer("search.steps-total");
    plainTreeSm = table.integer("search.plain-tree-sm");
    interTypeRelaxedBelow = table.type("search.inter-type-relaxed-below");
    leastBandwidthShare = table.number("search.least-bandwidth-share");
    raiseLimit = table.integer("search.raise-limit");
    duplicateGBps = table.single("search.duplicate-gbps");
    duplicateAboveSm = table.integer("search.duplicate-above-sm");
    duplicateNewerGBps = table.single("search.duplicate-newer-gbps");
    duplicateNewerChannels = table.integer("search.duplicate-newer-channels");
    readRequestBelowSm = table.integer("search.read-request-below-sm");
    readRequestDivisor = table.single("search.read-request-divisor");
    nvlsSm = table.integer("search.nvls-sm");
    nvlsHeads = table.integer("search.nvls-heads");
    collNetHeads = table.integer("search.collnet-heads");
    islandsMinRings = table.integer("search.islands-min-rings");
    fallbackGBps = table.single("search.fallback-gbps");
    String[] overhead = table.text("search.intel-overhead").split("/", 2);
    intelNumerator = Float.parseFloat(overhead[0]);
    intelDenominator = Float.parseFloat(overhead[1]);
  }

  /** The bandwidths in GB/s that are tried for a channel, highest first. */
  public float[] speeds(int minSm, boolean crossesNetwork) {
    return (crossesNetwork ? speedsInter : speedsIntra).at(minSm).clone();
  }

  /** The nearest and the farthest path between GPUs where there is one GPU. */
  public List<PathType> typesWithoutPeers() {
    return typesWithoutPeers;
  }

  /** The nearest and the farthest path to a port in a job that does not cross the network. */
  public List<PathType> typesWithoutNetwork() {
    return typesWithoutNetwork;
  }

  /** What traffic between PCI devices through an Intel CPU costs on PCI links. */
  public float withIntelOverhead(float bwGBps) {
    return bwGBps * intelNumerator / intelDenominator;
  }
}
