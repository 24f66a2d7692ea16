package dev.topo.search.engine;

import dev.topo.model.CpuArch;
import dev.topo.model.CpuNode;
import dev.topo.model.CpuVendor;
import dev.topo.model.NodeType;
import dev.topo.model.PathType;
import dev.topo.model.Topology;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Paths;
import dev.topo.search.path.SystemBandwidth;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.PathRules;
import dev.topo.search.rules.SearchRules;
import java.util.List;
import java.util.Optional;

/**
 * The facts about a domain that the schedule of a search uses. Made once for all searches on it,
 * before any of them ({@code ncclTopoSearchInit} and the beginning of {@code ncclTopoCompute},
 * {@code nccl:src/graph/search.cc}).
 *
 * @param profile the rules of the version
 * @param gpus number of GPUs
 * @param minSm compute capability of the oldest GPU
 * @param crossesNetwork whether the job has GPUs beyond the network
 * @param isAmd whether the CPUs are x86 by AMD
 * @param bandwidth what the GPUs can carry at best
 * @param typeIntra the nearest and the farthest path between GPUs that is tried
 * @param typeInter the nearest and the farthest path to a port that is tried
 */
record ScheduleFacts(
    NcclProfile profile,
    int gpus,
    int minSm,
    boolean crossesNetwork,
    boolean isAmd,
    SystemBandwidth bandwidth,
    TypeRange typeIntra,
    TypeRange typeInter) {

  /**
   * The nearest and the farthest of some paths.
   *
   * @param nearest the nearest
   * @param farthest the farthest
   */
  public record TypeRange(PathType nearest, PathType farthest) {
    private static TypeRange of(List<PathType> ends) {
      return new TypeRange(ends.get(0), ends.get(1));
    }
  }

  /** True if a tree that is not balanced is tried. */
  boolean triesPlainTree() {
    return minSm >= profile.search().plainTreeSm;
  }

  static ScheduleFacts of(Domain domain) {
    Topology topology = domain.topology();
    CpuNode cpu = topology.firstCpu();
    SearchRules rules = domain.profile().search();
    return new ScheduleFacts(
        domain.profile(),
        topology.gpus().size(),
        topology.minSm().orElseThrow(),
        domain.crossesNetwork(),
        cpu.arch() == CpuArch.X86 && cpu.vendor() == CpuVendor.AMD,
        SystemBandwidth.of(domain),
        topology.gpus().size() > 1
            ? range(domain.paths(), NodeType.GPU, rules.typesWithPeers)
            : TypeRange.of(rules.typesWithoutPeers),
        domain.crossesNetwork() ? toPorts(domain) : TypeRange.of(rules.typesWithoutNetwork));
  }

  private static TypeRange toPorts(Domain domain) {
    SearchRules rules = domain.profile().search();
    TypeRange range = range(domain.paths(), NodeType.NET, rules.typesWithNetwork);
    return domain.topology().minSm().orElseThrow() < rules.anyPathToNetBelowSm
        ? new TypeRange(range.nearest(), PathType.SYS)
        : range;
  }

  private static TypeRange range(Paths paths, NodeType type, Optional<List<PathType>> fixed) {
    return fixed.map(TypeRange::of).orElseGet(() -> range(paths, type));
  }

  /** {@code ncclTopoGetGpuMinPath} and {@code ncclTopoGetGpuMaxPath}. */
  private static TypeRange range(Paths paths, NodeType type) {
    PathRules rules = paths.profile().paths();
    PathType nearest = PathType.SYS;
    PathType farthest = PathType.LOC;
    for (int gpu : paths.topology().indexes(NodeType.GPU)) {
      for (int other : paths.topology().indexes(type)) {
        if (gpu != other) {
          PathType found = paths.type(gpu, other);
          nearest = rules.isWithin(found, nearest) ? found : nearest;
          farthest = rules.isWithin(found, farthest) ? farthest : found;
        }
      }
    }
    return new TypeRange(nearest, farthest);
  }
}
