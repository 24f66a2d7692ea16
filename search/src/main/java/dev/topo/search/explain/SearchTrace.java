package dev.topo.search.explain;

import dev.topo.model.Link.PathType;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.engine.Constraints;
import dev.topo.search.engine.SearchMonitor;
import dev.topo.search.engine.SearchMonitor.SearchOutcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Records a search: the constraints that it tried, the results, and what prevented more channels.
 */
public final class SearchTrace implements SearchMonitor {
  private final Map<GraphKind, Recording> recordings = new EnumMap<>(GraphKind.class);
  private final Map<Integer, Integer> blockedLinks = new HashMap<>();
  private final Map<PathType, Integer> farTypes = new EnumMap<>(PathType.class);
  private int improvedTo;

  /**
   * An attempt under one set of constraints.
   *
   * @param constraints the constraints tried
   * @param end how it ended
   * @param steps steps of the recursion
   * @param improvedTo number of channels of its best solution; 0 if it found none that is better
   *     than those of earlier attempts
   * @param blockedLink the link that most often had too little bandwidth for a channel
   * @param farType the path type that was most often too far for a channel
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
   * @param found number of channels after the first pass
   * @param doubled number of channels after the fast ones were doubled
   * @param secondPass the attempts to raise the bandwidth of the channels
   * @param outcome the outcome of the search; empty until it has ended
   */
  public record GraphTrace(
      List<Attempt> firstPass,
      int found,
      int doubled,
      List<Attempt> secondPass,
      Optional<SearchOutcome> outcome) {
    public GraphTrace {
      firstPass = List.copyOf(firstPass);
      secondPass = List.copyOf(secondPass);
    }
  }

  /** The events of the search for a graph. */
  private static final class Recording {
    private final List<Attempt> firstPass = new ArrayList<>();
    private final List<Attempt> secondPass = new ArrayList<>();
    private List<Attempt> pass = firstPass;
    private int found;
    private int doubled;
    private Optional<SearchOutcome> outcome = Optional.empty();
  }

  private Recording recording(GraphKind kind) {
    return recordings.computeIfAbsent(kind, key -> new Recording());
  }

  public GraphTrace of(GraphKind kind) {
    Recording recording = recording(kind);
    return new GraphTrace(
        recording.firstPass,
        recording.found,
        recording.doubled,
        recording.secondPass,
        recording.outcome);
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
    recording(kind)
        .pass
        .add(new Attempt(constraints, end, steps, improvedTo, link, mostFrequent(farTypes)));
  }

  /** The key with the highest count; of several, the smallest. */
  private static <K extends Comparable<K>> Optional<K> mostFrequent(Map<K, Integer> counts) {
    return counts.entrySet().stream()
        .min(
            Map.Entry.<K, Integer>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey);
  }

  @Override
  public void secondPass(GraphKind kind, int found, int doubled) {
    Recording recording = recording(kind);
    recording.pass = recording.secondPass;
    recording.found = found;
    recording.doubled = doubled;
  }

  @Override
  public void finished(GraphKind kind, SearchOutcome outcome) {
    recording(kind).outcome = Optional.of(outcome);
  }
}
