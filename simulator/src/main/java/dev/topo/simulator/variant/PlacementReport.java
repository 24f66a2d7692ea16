package dev.topo.simulator.variant;

import dev.topo.inspect.edit.NicPlacements;
import dev.topo.inspect.edit.PlacementSelection;
import dev.topo.model.operation.Call;
import dev.topo.simulator.variant.Score.RankedPlacement;
import java.util.Comparator;
import java.util.List;

/**
 * Placements of network cards in order of merit.
 *
 * @param job the machines in words
 * @param edits what was edited before
 * @param cards the cards and the places where they may go
 * @param selection which placements were tried, of how many
 * @param unmoved the job with every card where it is
 * @param ranked what was tried, the best first; put in order here
 * @param mainCall the call whose busbw is told
 * @param ranking by what to rank
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

  /** The places of the ranked, equal ones with the same number. */
  public List<Integer> places() {
    return WhatIfReport.places(ranked, order(ranking));
  }
}
