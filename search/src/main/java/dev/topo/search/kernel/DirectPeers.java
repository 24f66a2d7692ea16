package dev.topo.search.kernel;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NodeType;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.path.Domain;
import dev.topo.search.path.PathFinder.PeerLimit;
import java.util.Arrays;
import java.util.function.BiPredicate;

/**
 * Direct access between all GPUs of a node ({@code ncclTransportCheckP2pType}, {@code
 * nccl:src/transport.cc}; {@code ncclTopoPathAllDirectNVLink}, {@code nccl:src/graph/paths.cc}).
 */
final class DirectPeers {
  private DirectPeers() {}

  /** True if all GPUs are connected by NVLink without a relaying GPU. */
  static boolean areAllByNvlink(Domain domain) {
    return all(domain, (from, to) -> domain.paths().type(from, to) == PathType.NVL);
  }

  /** True unless the driver forbids two GPUs to access each other. */
  static boolean haveAccess(Domain domain, NcclSettings settings) {
    PeerLimit limit = PeerLimit.of(domain.paths(), settings);
    return all(domain, (from, to) -> limit.mayAccess(from, to).orElse(true));
  }

  static boolean areAll(Domain domain, NcclSettings settings) {
    PeerLimit limit = PeerLimit.of(domain.paths(), domain.profile().complete(settings));
    return all(
        domain, (from, to) -> from > to || limit.allows(from, to) && !limit.isRelayed(from, to));
  }

  private static boolean all(Domain domain, BiPredicate<Integer, Integer> pair) {
    int[] gpus = domain.topology().indexes(NodeType.GPU);
    return Arrays.stream(gpus)
        .allMatch(from -> Arrays.stream(gpus).allMatch(to -> from == to || pair.test(from, to)));
  }
}
