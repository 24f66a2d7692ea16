package dev.topo.simulator.packing;

import dev.topo.model.Link.LinkType;
import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NodeType;
import dev.topo.search.path.Domain;
import dev.topo.search.path.LinkTable;
import dev.topo.search.path.Paths;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The links that data takes between the GPUs of a node, and between them and its ports. Each pair
 * of devices has NCCL's path, as a graph file orders GPUs but cannot choose paths. Devices are
 * given by their index among those of their type. Immutable.
 */
public final class NodeLinks {
  /** The links between two GPUs, by index in a link table. */
  @FunctionalInterface
  public interface GpuRoutes {
    /** Returns the links that data takes; null if there is no path. */
    int @Nullable [] links(int fromGpu, int toGpu);
  }

  private final GpuRoutes routes;
  private final Paths paths;
  private final int[] gpus;
  private final int[] ports;
  private final double[] capacityGBps;
  private final boolean[] isLimit;
  private final int nodes;

  private NodeLinks(
      GpuRoutes routes,
      Domain domain,
      int nodes,
      LinkTable table,
      IntToDoubleFunction capacityGBps) {
    this.nodes = nodes;
    this.routes = routes;
    this.paths = domain.paths();
    this.gpus = domain.topology().indexes(NodeType.GPU);
    this.ports = domain.crossesNetwork() ? domain.topology().indexes(NodeType.NET) : new int[0];
    this.capacityGBps = new double[table.size()];
    this.isLimit = new boolean[table.size()];
    for (int link = 0; link < table.size(); link++) {
      isLimit[link] = table.type(link) != LinkType.LOC;
      this.capacityGBps[link] =
          isLimit[link] ? capacityGBps.applyAsDouble(link) : Double.POSITIVE_INFINITY;
    }
  }

  /**
   * Creates the links of a domain.
   *
   * @param nodes number of equal nodes
   * @param capacityGBps bandwidth of a link of the domain in GB/s
   */
  public static NodeLinks of(Domain domain, int nodes, IntToDoubleFunction capacityGBps) {
    int[] gpus = domain.topology().indexes(NodeType.GPU);
    return new NodeLinks(
        (from, to) -> links(domain.paths(), gpus[from], gpus[to]),
        domain,
        nodes,
        domain.paths().linkTable(),
        capacityGBps);
  }

  /**
   * Creates the links of the actual machine, over which the data of a domain flows, for a job on
   * one node.
   *
   * @param routes links between the GPUs of the domain, by index in {@code table}
   */
  public static NodeLinks ofActual(
      Domain domain, LinkTable table, GpuRoutes routes, IntToDoubleFunction capacityGBps) {
    return new NodeLinks(routes, domain, 1, table, capacityGBps);
  }

  private static int @Nullable [] links(Paths paths, int from, int to) {
    return isUsable(paths, from, to) ? paths.links(from, to) : null;
  }

  int nodes() {
    return nodes;
  }

  /**
   * True if NCCL's search uses a path; GPUs with a longer one exchange data through the network.
   */
  private static boolean isUsable(Paths paths, int from, int to) {
    return paths.type(from, to).isWithin(PathType.SYS);
  }

  int gpus() {
    return gpus.length;
  }

  int ports() {
    return ports.length;
  }

  /** Capacities of all links in GB/s; infinite for those inside a device. */
  double[] capacityGBps() {
    return capacityGBps.clone();
  }

  /** Load of a hop between two GPUs; null if there is no path. */
  @Nullable Usage hop(int from, int to) {
    return isUsable(paths, gpus[from], gpus[to]) ? usage(routes.links(from, to)) : null;
  }

  /** Load of data from a port to a GPU; null if there is no path. */
  @Nullable Usage fromPort(int port, int gpu) {
    return usage(links(paths, ports[port], gpus[gpu]));
  }

  /** Load of data from a GPU to a port; null if there is no path. */
  @Nullable Usage toPort(int gpu, int port) {
    return usage(links(paths, gpus[gpu], ports[port]));
  }

  private @Nullable Usage usage(int @Nullable [] links) {
    return links == null
        ? null
        : Usage.of(Arrays.stream(links).filter(link -> isLimit[link]).toArray());
  }
}
