package dev.topo.simulator.variant;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.edit.EditSet;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Variants of a job compared with the unchanged job.
 *
 * @param job the machines in words
 * @param nodes the machines that the variants edit
 * @param before the unchanged job
 * @param variants the outcomes of the variants
 * @param calls the calls to compare
 * @param mainCall the call by which outcomes are ranked
 * @param ranking the order of the ranking
 */
public record WhatIfReport(
    String job,
    EditedNodes nodes,
    WhatIfOutcome before,
    List<VariantOutcome> variants,
    List<Call> calls,
    Call mainCall,
    Score.Ranking ranking) {
  /**
   * The outcome of a variant.
   *
   * @param outcome the evaluated variant; empty if there is no answer
   * @param failure why there is no answer; empty if there is one
   */
  public record VariantOutcome(
      EditSet variant,
      Optional<WhatIfOutcome> outcome,
      Optional<UnusableTopologyException> failure) {}

  public WhatIfReport {
    variants = List.copyOf(variants);
    calls = List.copyOf(calls);
  }

  /** The unchanged job and the variants that NCCL accepts, the best first. */
  public List<WhatIfOutcome> ranked() {
    List<WhatIfOutcome> outcomes = new ArrayList<>(List.of(before));
    variants.forEach(variant -> variant.outcome().ifPresent(outcomes::add));
    outcomes.sort(order());
    return outcomes;
  }

  /** The places of the ranked outcomes; equal ones share a place. */
  public List<Integer> places() {
    return places(ranked(), order());
  }

  private Comparator<WhatIfOutcome> order() {
    return Comparator.comparing(outcome -> outcome.score(mainCall), ranking.order());
  }

  /** The limits of the model for the calls in any of the jobs. */
  public List<Caveat> caveats() {
    List<Operation> operations = calls.stream().map(Call::operation).toList();
    return Stream.concat(
            Stream.of(before), variants.stream().flatMap(variant -> variant.outcome().stream()))
        .flatMap(
            outcome ->
                Stream.concat(
                    CaveatFinder.ofMemory(outcome.memoryOmissions(calls)).stream(),
                    outcome.result().caveats(operations).stream()))
        .distinct()
        .toList();
  }

  /** True if no call has a time, before or after. */
  public boolean isEmpty() {
    return ranked().stream()
        .allMatch(outcome -> calls.stream().allMatch(call -> outcome.prediction(call).isEmpty()));
  }

  /** Places in an order; equal items share a place. */
  static <T> List<Integer> places(List<T> ordered, Comparator<T> order) {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < ordered.size(); i++) {
      boolean isEqual = i > 0 && order.compare(ordered.get(i - 1), ordered.get(i)) == 0;
      places.add(isEqual ? places.get(i - 1) : i + 1);
    }
    return places;
  }
}
