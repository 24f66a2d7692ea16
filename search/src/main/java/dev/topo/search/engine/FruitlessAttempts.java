package dev.topo.search.engine;

import dev.topo.model.Link.PathType;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.rules.PathRules;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The attempts of a search that improved nothing since its state last changed. An attempt is
 * deterministic: an equal one would take the same steps and improve nothing again. NCCL makes many
 * equal attempts, because it allows farther path types one by one, even those that no path of the
 * node has ({@code nccl:src/graph/search.cc#ncclTopoCompute}). Mutable, for one engine.
 */
final class FruitlessAttempts {
  private static final int NONE = -1;

  /** Constraints with the number of the farthest path that each of their path types allows. */
  private record Attempt(GraphKind kind, Constraints constraints, int intra, int inter) {}

  /**
   * The state that an attempt passes on to the next one, besides the best solution.
   *
   * @param linkGBps bandwidth left on each link
   * @param portGBps bandwidth left of each port
   * @param hops hops of all routes that are taken
   */
  record State(float[] linkGBps, float[] portGBps, int hops) {
    boolean isSame(State other) {
      return Arrays.equals(linkGBps, other.linkGBps)
          && Arrays.equals(portGBps, other.portGBps)
          && hops == other.hops;
    }
  }

  private final Map<Attempt, Integer> steps = new HashMap<>();
  private final PathRules rules;
  private final int[] intra;
  private final int[] inter;

  FruitlessAttempts(SearchSpace space) {
    rules = space.pathRules;
    intra = numbers(space.gpuToGpu, space.gpuToNvs, space.nvsToGpu);
    inter = numbers(space.gpuToNet, space.netToGpu);
  }

  /** The distinct numbers of the path types of the routes, ascending. */
  private static int[] numbers(PathRoute[]... routes) {
    return Stream.of(routes)
        .flatMap(Arrays::stream)
        .mapToInt(route -> route.typeNumber)
        .distinct()
        .sorted()
        .toArray();
  }

  /** The steps of an attempt that is known to improve nothing; empty if unknown. */
  OptionalInt steps(GraphKind kind, Constraints constraints) {
    Integer known = steps.get(attempt(kind, constraints));
    return known == null ? OptionalInt.empty() : OptionalInt.of(known);
  }

  /** Records an attempt that improved nothing and left the state unchanged. */
  void add(GraphKind kind, Constraints constraints, int taken) {
    steps.put(attempt(kind, constraints), taken);
  }

  /** Removes all attempts; called where the state or the best solution changes. */
  void clear() {
    steps.clear();
  }

  private Attempt attempt(GraphKind kind, Constraints constraints) {
    return new Attempt(
        kind,
        constraints.with(c -> c.types(PathType.LOC, PathType.LOC)),
        farthest(intra, constraints.typeIntra()),
        farthest(inter, constraints.typeInter()));
  }

  private int farthest(int[] present, PathType limit) {
    int number = rules.number(limit);
    return Arrays.stream(present).filter(type -> type <= number).max().orElse(NONE);
  }
}
