package dev.topo.simulator.variant;

import dev.topo.inspect.edit.EditSet;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.SpecField;
import dev.topo.model.job.SpecException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Call;
import dev.topo.simulator.variant.EditedJob.Communicators;
import dev.topo.simulator.variant.WhatIfReport.VariantOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Variants of the communicators of a job. Communicators that are equal as the job is and in every
 * variant have one report.
 *
 * @param job the machines in words
 * @param nodes the machines of the job that the variants edit
 * @param isSplit whether the job is split; else its only communicator is the whole job
 * @param before the communicators as the job is
 * @param calls the calls to compare
 * @param mainCall the call by which outcomes are ranked
 * @param ranking by what to rank
 */
public record SplitReport(
    String job,
    EditedNodes nodes,
    boolean isSplit,
    List<Communicators> before,
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
      List<Communicators> communicators,
      Optional<UnusableTopologyException> failure) {
    /** Copies the list. */
    public Variant {
      communicators = List.copyOf(communicators);
    }

    private VariantOutcome of(int color) {
      Optional<WhatIfOutcome> outcome =
          failure.isPresent()
              ? Optional.empty()
              : Optional.of(communicators.get(kind(communicators, color)).outcome());
      return new VariantOutcome(edits, outcome, failure);
    }
  }

  /**
   * The reports by the colours of their communicators, as in {@code 0-3}.
   *
   * @throws SpecException if the edits leave other communicators
   */
  public Map<String, WhatIfReport> of(List<Variant> variants) {
    Map<List<Integer>, SortedSet<Integer>> alike = new LinkedHashMap<>();
    SortedSet<Integer> colors = new TreeSet<>();
    before.forEach(communicators -> colors.addAll(communicators.colors()));
    for (int color : colors) {
      List<Integer> kinds = new ArrayList<>(List.of(kind(before, color)));
      variants.stream()
          .filter(variant -> variant.failure().isEmpty())
          .forEach(variant -> kinds.add(kind(variant.communicators(), color)));
      alike.computeIfAbsent(kinds, key -> new TreeSet<>()).add(color);
    }
    Map<String, WhatIfReport> reports = new LinkedHashMap<>();
    alike.forEach(
        (kinds, members) -> {
          String label = QuantityFormat.ranges(List.copyOf(members));
          reports.put(
              label,
              new WhatIfReport(
                  (isSplit ? "communicator " + label + " · " : "") + job,
                  nodes,
                  before.get(kinds.get(0)).outcome(),
                  variants.stream().map(variant -> variant.of(members.first())).toList(),
                  calls,
                  mainCall,
                  ranking));
        });
    return reports;
  }

  private static int kind(List<Communicators> communicatorses, int color) {
    for (int kind = 0; kind < communicatorses.size(); kind++) {
      if (communicatorses.get(kind).colors().contains(color)) {
        return kind;
      }
    }
    throw new SpecException(
        SpecField.SPLIT, ": after the edits there is no communicator %d to compare with", color);
  }
}
