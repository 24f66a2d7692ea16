package dev.topo.search.engine;

import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.CpuModel.CpuVendor;
import dev.topo.model.Link.PathType;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.search.engine.SearchMonitor.StepBudget;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Domain.SystemBandwidth;
import dev.topo.search.path.Paths;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.PathRules;
import dev.topo.search.rules.SearchRules;
import java.util.List;
import java.util.Optional;

/**
 * The sequence of constraints that a search tries ({@code ncclTopoCompute}, {@code
 * nccl:src/graph/search.cc}). The first pass begins with the highest bandwidth and relaxes one
 * constraint at a time until channels are found: channels may differ, the tree may be simpler,
 * paths may be longer, channels may change ports, bandwidth may be lower. The second pass tries to
 * raise the bandwidth of the channels found. Mutable, for one search.
 */
final class SearchSchedule {
  private final ScheduleFacts facts;
  private final SearchRules rules;
  private final PathRules paths;
  private final boolean trySameChannels;
  private final int crossNic;
  private final float[] speeds;
  private Constraints current;
  private int speed;
  private long globalSteps;
  private boolean secondPass;

  /**
   * Begins a schedule.
   *
   * @param facts facts about the domain
   * @param initial the constraints of the solution without channels; pattern, types and limits are
   *     used
   * @param crossNic NCCL_CROSS_NIC for this pattern: 0, 1, or 2 to try 0 first
   * @param totalBwGBps the highest bandwidth of one GPU for this pattern in GB/s
   */
  SearchSchedule(ScheduleFacts facts, Constraints initial, int crossNic, float totalBwGBps) {
    this.facts = facts;
    this.rules = facts.profile().search();
    this.paths = facts.profile().paths();
    this.globalSteps = rules.stepsTotal;
    this.trySameChannels = initial.pattern() != Pattern.NVLS;
    this.crossNic = crossNic;
    this.speeds = rules.speeds(facts.minSm(), facts.crossesNetwork());
    while (speed < speeds.length - 1
        && (speeds[speed] > facts.bandwidth().maxGBps()
            || speeds[speed] * initial.minChannels() > totalBwGBps)) {
      speed++;
    }
    this.current = atSpeed(initial);
  }

  /** True if channels have been found and their bandwidth is being raised. */
  boolean isSecondPass() {
    return secondPass;
  }

  Constraints current() {
    return current;
  }

  /** A fresh budget for the next attempt. */
  StepBudget budget() {
    StepBudget budget =
        new StepBudget(
            current.sameChannels() ? rules.stepsSameChannels : rules.stepsDifferentChannels);
    globalSteps -= budget.left();
    return budget;
  }

  /**
   * Moves on after an attempt; false if the search is over.
   *
   * @param best the best channels so far; between the passes they are doubled if they are fast
   *     enough
   * @param budget the budget after the attempt
   */
  boolean advance(Solution best, StepBudget budget) {
    boolean enough =
        best.nChannels() * best.constraints().bwInter() >= facts.bandwidth().totalGBps();
    if (!secondPass) {
      if (!budget.isPerfect() && !enough && relax(best, budget)) {
        return true;
      }
      startSecondPass(best);
      return raiseBandwidth(best);
    }
    return !budget.isExhausted() && raiseBandwidth(best);
  }

  /**
   * First pass: relaxes one constraint. False if none is left or enough steps were spent on a
   * search that has found channels.
   */
  private boolean relax(Solution best, StepBudget budget) {
    if (current.sameChannels() && !(facts.isAmd() && current.typeIntra() == PathType.SYS)) {
      current = current.with(c -> c.sameChannels = false);
      return true;
    }
    current = current.with(c -> c.sameChannels = trySameChannels);
    globalSteps += budget.left();
    boolean found = best.nChannels() > 0;
    if (globalSteps < 0 && found) {
      return false;
    }
    return relaxPattern(best)
        || relaxTypes(best, found)
        || relaxCrossNic(best)
        || relaxBandwidth(best, found);
  }

  private boolean relaxPattern(Solution best) {
    if (facts.triesPlainTree() && current.pattern() == Pattern.BALANCED_TREE) {
      current = current.with(c -> c.pattern = Pattern.TREE);
      return true;
    }
    current = current.with(c -> c.pattern = best.constraints().pattern());
    return false;
  }

  private boolean relaxTypes(Solution best, boolean found) {
    PathType intra = current.typeIntra();
    PathType inter = current.typeInter();
    PathType farthestIntra = facts.crossesNetwork() ? inter : facts.typeIntra().farthest();
    boolean betterIntra = !found || isNearer(intra, best.constraints().typeIntra());
    if (isNearer(intra, farthestIntra) && betterIntra && mayReach(paths.next(intra))) {
      current = current.with(c -> c.types(paths.next(intra), inter));
      return true;
    }
    current = current.with(c -> c.types(facts.typeIntra().nearest(), inter));
    boolean betterInter =
        !found
            || isNearer(inter, best.constraints().typeInter())
            || isNearer(inter, rules.interTypeRelaxedBelow);
    if (facts.crossesNetwork()
        && isNearer(inter, facts.typeInter().farthest())
        && betterInter
        && mayReach(paths.next(inter))) {
      current = current.with(c -> c.types(facts.typeIntra().nearest(), paths.next(inter)));
      return true;
    }
    current = current.with(c -> c.types(facts.typeIntra().nearest(), facts.typeInter().nearest()));
    return false;
  }

  private boolean isNearer(PathType type, PathType other) {
    return paths.number(type) < paths.number(other);
  }

  private boolean mayReach(PathType type) {
    return type != PathType.DIS || rules.goesOnWithoutPath;
  }

  private boolean relaxCrossNic(Solution best) {
    Pattern pattern = best.constraints().pattern();
    if (crossNic == 2
        && current.crossNic() == 0
        && (pattern == Pattern.RING
            || pattern == Pattern.BALANCED_TREE
            || rules.triesPortsForPlainTree)) {
      current = current.with(c -> c.crossNic = rules.triedCrossNic);
      return true;
    }
    current = current.with(c -> c.crossNic = crossNic == 1 ? 1 : 0);
    return false;
  }

  /**
   * Tries the next lower bandwidth, down to the share {@code leastBandwidthShare} of the bandwidth
   * found.
   */
  private boolean relaxBandwidth(Solution best, boolean found) {
    if (speed < speeds.length - 1
        && (!found
            || speeds[speed + 1] / best.constraints().bwInter() > rules.leastBandwidthShare)) {
      speed++;
      current = atSpeed(current);
      return true;
    }
    return false;
  }

  private void startSecondPass(Solution best) {
    secondPass = true;
    best.duplicateFastChannels(facts.minSm());
    Constraints found = best.constraints();
    speed = 0;
    while (speed < speeds.length - 1 && speeds[speed] > found.bwInter()) {
      speed++;
    }
    current = atSpeed(found).with(c -> c.channels(best.nChannels(), found.maxChannels()));
  }

  /** The constraints at the speed that is tried. */
  private Constraints atSpeed(Constraints constraints) {
    return constraints.with(c -> c.bandwidth(speeds[speed], speeds[speed]));
  }

  /** Second pass: requires the next higher bandwidth. */
  private boolean raiseBandwidth(Solution best) {
    if (speed == 0) {
      return false;
    }
    Constraints found = best.constraints();
    if (found.pattern() == Pattern.RING) {
      speed--;
      current = atSpeed(current);
      return true;
    }
    if (found.pattern() == Pattern.NVLS
        && current.bwInter() == found.bwInter()
        && current.bwInter() < current.bwIntra() * rules.raiseLimit) {
      speed--;
      current =
          current
              .with(c -> c.channels(best.nChannels(), best.nChannels()))
              .with(c -> c.bandwidth(current.bwIntra(), speeds[speed]));
      return true;
    }
    if (current.bwIntra() == found.bwIntra()
        && current.bwIntra() < current.bwInter() * rules.raiseLimit) {
      speed--;
      current = current.with(c -> c.bandwidth(speeds[speed], current.bwInter()));
      return true;
    }
    return false;
  }

  /**
   * The facts about a domain that the schedule of a search uses. Computed once for all searches on
   * the domain, before the first one ({@code ncclTopoSearchInit} and the beginning of {@code
   * ncclTopoCompute}, {@code nccl:src/graph/search.cc}).
   *
   * @param profile the rules of the version
   * @param gpus number of GPUs
   * @param minSm compute capability of the oldest GPU
   * @param crossesNetwork whether the job has GPUs beyond the network
   * @param isAmd whether the CPUs are x86 by AMD
   * @param bandwidth the highest bandwidths of the GPUs
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

    /** The nearest and the farthest type of a set of paths. */
    record TypeRange(PathType nearest, PathType farthest) {
      private static TypeRange of(List<PathType> ends) {
        return new TypeRange(ends.get(0), ends.get(1));
      }
    }

    /** True if the search also tries trees that are not balanced. */
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
}
