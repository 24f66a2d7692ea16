package dev.topo.search.engine;

import dev.topo.model.CpuArch;
import dev.topo.model.CpuNode;
import dev.topo.model.CpuVendor;
import dev.topo.model.GpuNode;
import dev.topo.model.LinkType;
import dev.topo.model.NodeType;
import dev.topo.model.PathType;
import dev.topo.model.Topology;
import dev.topo.search.path.LinkTable;
import dev.topo.search.path.Paths;
import dev.topo.search.rules.SearchRules;

/**
 * A path in the form in which bandwidth is taken from it: its links, and what traffic on it costs
 * besides ({@code followPath}, {@code nccl:src/graph/search.cc}). Immutable.
 */
final class PathRoute {

  final PathType type;

  /** NCCL's number of the type, by which distances are compared. */
  final int typeNumber;

  final float bwGBps;
  final int[] links;

  /** Links as NCCL counts them, where some may lie between a GPU and its device. */
  private final int hops;

  /** True if a link is PCI and carries the overhead of a PCI path. */
  final boolean[] pci;

  /** The link back, if traffic on a link also costs bandwidth there; -1 if not. */
  final int[] back;

  /** The part of the bandwidth that is taken from the link back, as a divisor. */
  final float[] backDivisor;

  /** Intel CPUs cut traffic between PCI devices into small packets, which costs a fifth more. */
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
}
