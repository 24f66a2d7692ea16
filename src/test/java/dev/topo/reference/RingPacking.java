package dev.topo.reference;

import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.CpuModel.CpuVendor;
import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Link.PathType;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.search.engine.Constraints;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Paths.NodePath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Packs rings into a small machine on its own by trying everything: all orders of the GPUs for one
 * ring, all choices of rings for several. It shares nothing with the engine but the paths, and
 * counts bandwidth in whole MB/s so that nothing is rounded.
 */
final class RingPacking {
  private final Domain domain;
  private final Topology topology;
  private final int[] gpus;

  RingPacking(Domain domain) {
    this.domain = domain;
    this.topology = domain.topology();
    this.gpus = topology.indexes(NodeType.GPU);
  }

  /**
   * Whether so many rings fit that keep to the constraints: paths between GPUs that are near
   * enough, bandwidth for each ring, all rings alike if that is asked for.
   */
  boolean fits(Constraints constraints, int count) {
    List<Map<Link, Long>> rings = new ArrayList<>();
    collect(new ArrayList<>(List.of(0)), constraints, rings);
    if (!constraints.sameChannels()) {
      return pack(rings, 0, count, new LinkedHashMap<>());
    }
    return rings.stream().anyMatch(ring -> pack(List.of(ring), 0, count, new LinkedHashMap<>()));
  }

  /** Adds the load of every ring that begins with {@code order}. */
  private void collect(List<Integer> order, Constraints constraints, List<Map<Link, Long>> rings) {
    if (order.size() == gpus.length) {
      Map<Link, Long> load = new LinkedHashMap<>();
      for (int i = 0; i < gpus.length; i++) {
        int from = gpus[order.get(i)];
        int to = gpus[order.get((i + 1) % gpus.length)];
        if (!add(load, domain.paths().path(from, to), constraints)) {
          return;
        }
      }
      rings.add(load);
      return;
    }
    for (int next = 1; next < gpus.length; next++) {
      if (!order.contains(next)) {
        order.add(next);
        collect(order, constraints, rings);
        order.remove(order.size() - 1);
      }
    }
  }

  private boolean add(Map<Link, Long> load, NodePath path, Constraints constraints) {
    if (path.type() == PathType.DIS || !path.type().isWithin(constraints.typeIntra())) {
      return false;
    }
    long bw = megabytes(constraints.bwIntra());
    boolean overhead =
        path.type() == PathType.PHB && path.links().stream().anyMatch(link -> isIntel(link.to()));
    for (Link link : path.links()) {
      load.merge(link, overhead && link.type() == LinkType.PCI ? bw * 6 / 5 : bw, Long::sum);
    }
    return true;
  }

  private boolean isIntel(int node) {
    return topology.node(node) instanceof CpuNode cpu
        && cpu.arch() == CpuArch.X86
        && cpu.vendor() == CpuVendor.INTEL;
  }

  private static long megabytes(float bwGBps) {
    return Math.round(bwGBps * 1000.0);
  }

  private static boolean pack(
      List<Map<Link, Long>> rings, int first, int count, Map<Link, Long> used) {
    if (count == 0) {
      return true;
    }
    for (int r = first; r < rings.size(); r++) {
      Map<Link, Long> sum = new LinkedHashMap<>(used);
      rings.get(r).forEach((link, bw) -> sum.merge(link, bw, Long::sum));
      boolean room =
          rings.get(r).keySet().stream()
              .allMatch(link -> sum.getOrDefault(link, 0L) <= megabytes(link.bwGBps()));
      if (room && pack(rings, r, count - 1, sum)) {
        return true;
      }
    }
    return false;
  }
}
