package dev.topo.search.kernel;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NodeType;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.path.Domain;
import dev.topo.search.path.PathFinder;
import dev.topo.search.path.Paths;
import java.util.Arrays;

/**
 * Direct access between all GPUs of a node ({@code ncclTransportCheckP2pType}, {@code
 * nccl:src/transport.cc}; {@code ncclTopoPathAllDirectNVLink}, {@code nccl:src/graph/paths.cc}).
 */
final class DirectPeers {
  private DirectPeers() {}

  /** True if all GPUs have NVLink to each other, without a third GPU between. */
  static boolean areAllByNvlink(Domain domain) {
    int[] gpus = domain.topology().indexes(NodeType.GPU);
    return Arrays.stream(gpus)
        .allMatch(
            from ->
                Arrays.stream(gpus)
                    .allMatch(to -> from == to || domain.paths().type(from, to) == PathType.NVL));
  }

  static boolean areAll(Domain domain, NcclSettings settings) {
    NcclSettings complete = domain.profile().complete(settings);
    PathType level = PathFinder.p2pLevel(domain.topology(), complete, domain.profile());
    int[] gpus = domain.topology().indexes(NodeType.GPU);
    for (int i = 0; i < gpus.length; i++) {
      for (int j = i + 1; j < gpus.length; j++) {
        if (!isDirect(domain.paths(), gpus[i], gpus[j], level)) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isDirect(Paths paths, int from, int to, PathType level) {
    int[] links = paths.links(from, to);
    boolean throughGpu =
        links.length == 2
            && paths.topology().node(paths.linkTable().to(links[0])).type() == NodeType.GPU;
    return paths.type(from, to).isWithin(level) && !throughGpu;
  }
}
