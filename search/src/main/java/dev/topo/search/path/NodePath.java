package dev.topo.search.path;

import dev.topo.model.Link;
import dev.topo.model.PathType;
import java.util.List;

/**
 * The path that NCCL uses from one node to another.
 *
 * @param from index of the node where it begins
 * @param to index of the node where it ends
 * @param type the worst segment; {@link PathType#DIS} if there is no path
 * @param bwGBps bandwidth of the narrowest link in GB/s, 0 if there is no path
 * @param hops number of links, with those between GPUs and their devices
 * @param links the links in order; none from a node to itself
 */
public record NodePath(int from, int to, PathType type, float bwGBps, int hops, List<Link> links) {
  public NodePath {
    links = List.copyOf(links);
  }
}
