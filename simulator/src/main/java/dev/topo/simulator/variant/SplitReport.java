package dev.topo.simulator.variant;

import dev.topo.inspect.edit.EditSet;
import dev.topo.model.io.SpecField;
import dev.topo.model.job.SpecException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Call;
import dev.topo.simulator.variant.WhatIfReport.VariantOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Variants of the communicators of a job. Communicators that are equal in the unchanged job and in
 * every variant share one report.
 *
 * @param job the machines in words
 * @param nodes the machines of the job that the variants edit
 * @param before the communicators of the unchanged job
 * @param calls the calls to compare
 * @param mainCall the call by which outcomes are ranked
 * @param ranking the order of the ranking
 */
public record SplitReport(
    String job,
    EditedNodes nodes,
    List<Communicators<WhatIfOutcome>> before,
    List<Call> calls,
    Call mainCall,
    Score.Ranking ranking) {
  /** Copies the lists. */
  public SplitReport {
    before = List.copyOf(before);
    calls = List.copyOf(calls);
  }

  /**
   * Outcome of a variant.
   *
   * @param communicators those of the job after the edits; none if there is no answer
   * @param failure why there is no answer; empty if there is one
   */
  public record Variant(
      EditSet edits,
      List<Communicators<WhatIfOutcome>> communicators,
      Optional<UnusableTopologyException> failure) {
    /** Copies the list. */
    public Variant {
      communicators = List.copyOf(communicators);
    }
  }

  /**
   * The reports by the colours of their communicators: {@code 0-3}.
   *
   * @throws SpecException if the edits leave other communicators
   */
  public Map<String, WhatIfReport> of(List<Variant> variants) {
    List<List<Communicators<WhatIfOutcome>>> jobs = new ArrayList<>(List.of(before));
    variants.forEach(variant -> jobs.add(variant.communicators));
    Map<String, WhatIfReport> reports = new LinkedHashMap<>();
    for (Communicators<List<Optional<WhatIfOutcome>>> alike : Communicators.alike(jobs)) {
      reports.put(
          alike.label(),
          new WhatIfReport(
              (alike.colors().isEmpty() ? "" : "communicator " + alike.label() + " · ") + job,
              nodes,
              alike.value().get(0).orElseThrow(),
              IntStream.range(0, variants.size())
                  .mapToObj(
                      variant ->
                          outcome(variants.get(variant), alike.value().get(variant + 1), alike))
                  .toList(),
              calls,
              mainCall,
              ranking));
    }
    return reports;
  }

  private static VariantOutcome outcome(
      Variant variant, Optional<WhatIfOutcome> outcome, Communicators<?> of) {
    if (outcome.isEmpty() && variant.failure.isEmpty()) {
      throw new SpecException(
          SpecField.SPLIT,
          ": after the edits there is no communicator %d to compare with",
          of.colors().get(0));
    }
    return new VariantOutcome(variant.edits, outcome, variant.failure);
  }
}
