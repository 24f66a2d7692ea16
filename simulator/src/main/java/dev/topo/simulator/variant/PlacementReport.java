package dev.topo.simulator.variant;

import dev.topo.inspect.edit.NicPlacements;
import dev.topo.inspect.edit.PlacementSelection;
import dev.topo.model.operation.Call;
import dev.topo.simulator.variant.Score.RankedPlacement;
import java.util.Comparator;
import java.util.List;

/**
 * Ranked placements of network cards.
 *
 * @param job the machines in words
 * @param edits the edits applied before
 * @param cards the cards and their possible slots
 * @param selection the evaluated placements
 * @param unmoved the job with all cards in place
 * @param ranked the evaluated placements; sorted here, the best first
 * @param mainCall the call whose busbw is shown
 * @param ranking the order of the ranking
 */
public record PlacementReport(
    String job,
    String edits,
    NicPlacements cards,
    PlacementSelection selection,
    WhatIfOutcome unmoved,
    List<RankedPlacement> ranked,
    Call mainCall,
    Score.Ranking ranking) {
  public PlacementReport {
    ranked = ranked.stream().sorted(order(ranking)).toList();
  }

  private static Comparator<RankedPlacement> order(Score.Ranking ranking) {
    return Comparator.comparing(RankedPlacement::score, ranking.order());
  }

  /** The places of the ranked placements; equal ones share a place. */
  public List<Integer> places() {
    return WhatIfReport.places(ranked, order(ranking));
  }
}
