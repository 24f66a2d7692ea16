package dev.topo.search.path;

import dev.topo.model.Link;
import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.search.path.Domain.SystemBandwidth;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.TopologyRules.LinkBandwidths;
import java.util.ArrayList;
import java.util.List;

/**
 * The paths of a topology from every node to its GPUs, NVSwitches, CPUs and network ports.
 * Immutable; made by {@link PathFinder}. A pair for which NCCL computes no path is {@link
 * PathType#DIS}, in some versions {@link PathType#LOC}.
 */
public final class Paths {
  private final NcclProfile profile;
  private final Topology topology;
  private final PathTable table;
  private final LocalDevices localDevices;
  private final int[] localCpuOfGpu;
  private final Bounds bounds;

  /**
   * The highest bandwidths in GB/s from a GPU to another one, from a GPU to a port, and over all
   * links of one kind that leave a GPU.
   */
  record Bounds(float toGpuGBps, float toPortGBps, float totalGBps) {}

  Paths(
      NcclProfile profile,
      Topology topology,
      PathTable table,
      LocalDevices localDevices,
      int[] localCpuOfGpu,
      Bounds bounds) {
    this.profile = profile;
    this.topology = topology;
    this.table = table;
    this.localDevices = localDevices;
    this.localCpuOfGpu = localCpuOfGpu;
    this.bounds = bounds;
  }

  /** The rules under which the paths were found. */
  public NcclProfile profile() {
    return profile;
  }

  public Topology topology() {
    return topology;
  }

  PathTable table() {
    return table;
  }

  /** The links that {@link #links} refers to. */
  public LinkTable linkTable() {
    return table.links();
  }

  /** Type of the path between two nodes, by index. */
  public PathType type(int from, int to) {
    return table.type(from, to);
  }

  /**
   * Bandwidth of the path between two nodes in GB/s; {@link LinkBandwidths#local} from a node to
   * itself.
   */
  public float bwGBps(int from, int to) {
    return table.bwGBps(from, to);
  }

  /**
   * Number of links of the path between two nodes, including links between GPUs and their device
   * nodes; a PXN relay has two of these.
   */
  public int hops(int from, int to) {
    int hops = table.hops(from, to);
    int toDevice = profile.paths().hopsToDevice;
    if (hops == 0 || toDevice == 0) {
      return hops;
    }
    int ends = (isGpu(from) ? 1 : 0) + (isGpu(to) ? 1 : 0);
    return hops + toDevice * (table.type(from, to) == PathType.PXN ? ends + 2 : ends);
  }

  private boolean isGpu(int node) {
    return topology.node(node).type() == NodeType.GPU;
  }

  /** The links of the path between two nodes, by number in {@link #linkTable}. */
  public int[] links(int from, int to) {
    return table.links(from, to).clone();
  }

  public NodePath path(int from, int to) {
    List<Link> links = new ArrayList<>();
    int node = from;
    for (int link : table.links(from, to)) {
      links.add(topology.links(node).get(link - table.links().firstOf(node)));
      node = table.links().to(link);
    }
    return new NodePath(from, to, type(from, to), bwGBps(from, to), hops(from, to), links);
  }

  /** Upper limits of the bandwidth of channels; {@link SystemBandwidth} has the relevant one. */
  Bounds bounds() {
    return bounds;
  }

  /** Which ports the GPUs prefer and which GPUs drive the ports. */
  public LocalDevices localDevices() {
    return localDevices;
  }

  /**
   * The CPU that is nearest to a GPU, both by index among the nodes of their type ({@code
   * ncclGetLocalCpu}).
   */
  public int localCpu(int gpu) {
    return localCpuOfGpu[gpu];
  }

  /**
   * The path that NCCL uses from one node to another.
   *
   * @param from index of the node where it begins
   * @param to index of the node where it ends
   * @param type type of the farthest segment; {@link PathType#DIS} if there is no path
   * @param bwGBps bandwidth of the narrowest link in GB/s, 0 if there is no path
   * @param hops number of links, including those between GPUs and their device nodes
   * @param links the links in order; none from a node to itself
   */
  public record NodePath(
      int from, int to, PathType type, float bwGBps, int hops, List<Link> links) {
    public NodePath {
      links = List.copyOf(links);
    }
  }
}
