package dev.topo.search.explain;

import dev.topo.model.PathType;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.request.Constraints;
import dev.topo.search.request.SearchMonitor;
import dev.topo.search.request.SearchOutcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Writes down what a search did: which constraints it tried, how far it came with them and what
 * stopped it.
 */
public final class SearchTrace implements SearchMonitor {
  private final Map<GraphKind, GraphTrace> traces = new EnumMap<>(GraphKind.class);
  private final Map<Integer, Integer> blockedLinks = new HashMap<>();
  private final Map<PathType, Integer> farTypes = new EnumMap<>(PathType.class);
  private int improvedTo;

  /**
   * An attempt under some constraints.
   *
   * @param constraints what was demanded
   * @param end how it ended
   * @param steps steps of the recursion
   * @param improvedTo channels of the best answer that it found, 0 if it found none that was better
   *     than before
   * @param blockedLink the link that stopped channels most often for want of bandwidth
   * @param farType the path type that stopped channels most often for being too far
   */
  public record Attempt(
      Constraints constraints,
      AttemptEnd end,
      int steps,
      int improvedTo,
      OptionalInt blockedLink,
      Optional<PathType> farType) {}

  /**
   * The search for a graph.
   *
   * @param firstPass the attempts until channels were found
   * @param found channels of the first pass
   * @param doubled channels after fast ones have become two
   * @param secondPass the attempts to raise their bandwidth
   * @param outcome how it ended, once it has
   */
  public record GraphTrace(
      List<Attempt> firstPass,
      int found,
      int doubled,
      List<Attempt> secondPass,
      Optional<SearchOutcome> outcome) {
    static final GraphTrace EMPTY = new GraphTrace(List.of(), 0, 0, List.of(), Optional.empty());

    /** Copies the lists. */
    public GraphTrace {
      firstPass = List.copyOf(firstPass);
      secondPass = List.copyOf(secondPass);
    }
  }

  private final Map<GraphKind, List<Attempt>> firstPasses = new EnumMap<>(GraphKind.class);
  private final Map<GraphKind, List<Attempt>> secondPasses = new EnumMap<>(GraphKind.class);

  /** What is known about the search for a graph. */
  public GraphTrace of(GraphKind kind) {
    GraphTrace trace = traces.getOrDefault(kind, GraphTrace.EMPTY);
    return new GraphTrace(
        firstPasses.getOrDefault(kind, List.of()),
        trace.found,
        trace.doubled,
        secondPasses.getOrDefault(kind, List.of()),
        trace.outcome);
  }

  @Override
  public void attemptStarted(GraphKind kind, Constraints constraints) {
    blockedLinks.clear();
    farTypes.clear();
    improvedTo = 0;
  }

  @Override
  public void improved(GraphKind kind, int nChannels, int hops) {
    improvedTo = nChannels;
  }

  @Override
  public void blocked(GraphKind kind, int link) {
    blockedLinks.merge(link, 1, Integer::sum);
  }

  @Override
  public void tooFar(GraphKind kind, PathType type) {
    farTypes.merge(type, 1, Integer::sum);
  }

  @Override
  public void attemptEnded(GraphKind kind, Constraints constraints, AttemptEnd end, int steps) {
    OptionalInt link = mostFrequent(blockedLinks).map(OptionalInt::of).orElse(OptionalInt.empty());
    boolean second = secondPasses.containsKey(kind);
    (second ? secondPasses : firstPasses)
        .computeIfAbsent(kind, key -> new ArrayList<>())
        .add(new Attempt(constraints, end, steps, improvedTo, link, mostFrequent(farTypes)));
  }

  /** The key with the highest count, the smaller key of equals. */
  private static <K extends Comparable<K>> Optional<K> mostFrequent(Map<K, Integer> counts) {
    K best = null;
    int most = 0;
    List<K> keys = new ArrayList<>(counts.keySet());
    Collections.sort(keys);
    for (K key : keys) {
      int count = counts.getOrDefault(key, 0);
      if (count > most) {
        most = count;
        best = key;
      }
    }
    return Optional.ofNullable(best);
  }

  @Override
  public void secondPass(GraphKind kind, int found, int doubled) {
    secondPasses.put(kind, new ArrayList<>());
    traces.put(kind, new GraphTrace(List.of(), found, doubled, List.of(), Optional.empty()));
  }

  @Override
  public void finished(GraphKind kind, SearchOutcome outcome) {
    GraphTrace trace = traces.getOrDefault(kind, GraphTrace.EMPTY);
    traces.put(
        kind,
        new GraphTrace(List.of(), trace.found, trace.doubled, List.of(), Optional.of(outcome)));
  }
}
