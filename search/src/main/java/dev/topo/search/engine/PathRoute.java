package dev.topo.search.engine;

import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.CpuModel.CpuVendor;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Link.PathType;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.search.path.LinkTable;
import dev.topo.search.path.Paths;
import dev.topo.search.rules.SearchRules;

/**
 * A path prepared for taking bandwidth: its links, and the additional costs of traffic on them
 * ({@code followPath}, {@code nccl:src/graph/search.cc}). Immutable.
 */
final class PathRoute {

  final PathType type;

  /** NCCL's number of the type, by which distances are compared. */
  final int typeNumber;

  final float bwGBps;
  final int[] links;

  /** Number of links as NCCL counts them, including links between a GPU and its device node. */
  private final int hops;

  /** For each link, true if it is PCI and so carries the Intel overhead. */
  final boolean[] pci;

  /** For each link, the reverse link if traffic also costs bandwidth there; else -1. */
  final int[] back;

  /** For each link, the divisor of the bandwidth that is taken from the reverse link. */
  final float[] backDivisor;

  /** Intel CPUs split traffic between PCI devices into small packets, which costs a fifth more. */
  final boolean intelOverhead;

  PathRoute(Paths paths, int from, int to) {
    SearchRules rules = paths.profile().search();
    Topology topology = paths.topology();
    LinkTable table = paths.linkTable();
    this.type = paths.type(from, to);
    this.typeNumber = paths.profile().paths().number(type);
    this.bwGBps = paths.bwGBps(from, to);
    this.links = paths.links(from, to);
    this.hops = paths.hops(from, to);
    this.pci = new boolean[links.length];
    this.back = new int[links.length];
    this.backDivisor = new float[links.length];
    boolean fromGpu = topology.node(from).type() == NodeType.GPU;
    boolean throughIntel = false;
    for (int i = 0; i < links.length; i++) {
      int link = links[i];
      pci[i] = table.type(link) == LinkType.PCI;
      back[i] = -1;
      if (topology.node(table.to(link)) instanceof GpuNode gpu) {
        if (gpu.sm() < rules.readRequestBelowSm && !fromGpu) {
          back[i] = table.reverse(link);
          backDivisor[i] = rules.readRequestDivisor;
        }
      } else if (topology.node(table.to(link)) instanceof CpuNode cpu) {
        throughIntel |= cpu.arch() == CpuArch.X86 && cpu.vendor() == CpuVendor.INTEL;
        if (cpu.arch() == CpuArch.POWER && table.type(link) == LinkType.NVL) {
          back[i] = table.reverse(link);
          backDivisor[i] = 1;
        }
      }
    }
    this.intelOverhead = throughIntel && fromGpu && type == PathType.PHB;
  }

  int hops() {
    return hops;
  }

  /**
   * The bandwidth left on each link while channels take it and give it back. NCCL rounds to
   * thousandths after every change and continues with the rounded numbers, through all searches of
   * a node; so does this class. Mutable, for one node.
   */
  static final class BandwidthLedger {
    private final SearchRules rules;
    private final float[] left;
    private int blocked = -1;

    BandwidthLedger(LinkTable links, SearchRules rules) {
      this.rules = rules;
      left = new float[links.size()];
      for (int l = 0; l < left.length; l++) {
        left[l] = links.bwGBps(l);
      }
    }

    /** The bandwidth left on each link in GB/s. */
    float[] left() {
      return left.clone();
    }

    /** The bandwidth that is left on a link, in GB/s. */
    float left(int link) {
      return left[link];
    }

    /** The link that had too little bandwidth when {@link #take} last failed. */
    int blocked() {
      return blocked;
    }

    /**
     * Takes bandwidth from every link of a route; takes nothing and returns false where one has too
     * little.
     */
    boolean take(PathRoute route, float bw) {
      int taken = follow(route, route.links.length, bw);
      if (taken == route.links.length) {
        return true;
      }
      follow(route, taken, -bw);
      blocked = route.links[taken];
      return false;
    }

    /**
     * Takes from the first links of a route until one has too little; returns the number of links
     * that it took from.
     */
    private int follow(PathRoute route, int steps, float bw) {
      float pciBw = route.intelOverhead ? rules.withIntelOverhead(bw) : bw;
      for (int i = 0; i < steps; i++) {
        int link = route.links[i];
        float forth = route.pci[i] ? pciBw : bw;
        int back = route.back[i];
        if (back < 0) {
          if (left[link] < forth) {
            return i;
          }
          left[link] = rounded(left[link] - forth);
        } else {
          float backBw = forth / route.backDivisor[i];
          if (left[link] < forth || (backBw != 0 && left[back] < backBw)) {
            return i;
          }
          left[link] = rounded(left[link] - forth);
          if (backBw != 0) {
            left[back] = rounded(left[back] - backBw);
          }
        }
      }
      return steps;
    }

    /** Rounds to thousandths, halves away from zero, in single precision as C's {@code roundf}. */
    private static float rounded(float bw) {
      float thousandths = bw * 1000;
      float whole =
          thousandths < 0
              ? -(float) (long) (0.5 - thousandths)
              : (float) (long) (thousandths + 0.5);
      return whole / 1000;
    }
  }
}
