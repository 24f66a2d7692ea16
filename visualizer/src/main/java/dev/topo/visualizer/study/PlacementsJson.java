package dev.topo.visualizer.study;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.edit.NicPlacement;
import dev.topo.inspect.edit.PlacementSelection;
import dev.topo.simulator.variant.PlacementReport;
import dev.topo.simulator.variant.Score;
import dev.topo.simulator.variant.Score.RankedPlacement;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Placements of network cards as data, the best first. */
public final class PlacementsJson {
  /** The numbers of placements are absent where there were too many to count. */
  private record Placements(
      JobSummary job,
      String edits,
      int nCards,
      int nPlaces,
      int perPlace,
      String rankedBy,
      Optional<Long> nPlacements,
      Optional<Integer> nDifferent,
      Optional<Integer> nDifferentMoreThan,
      int nTried,
      List<Entry> placements) {}

  private record Entry(
      int rank,
      boolean present,
      long equalPlacements,
      int movedCards,
      @JsonUnwrapped Score score,
      WhatIfJson.Graph ring,
      List<Load> loads,
      List<String> edits) {}

  private record Load(String cpu, String place, int cards, List<String> nics) {}

  private PlacementsJson() {}

  /** The placements that were tried, and how many there are. */
  public static Answer of(PlacementReport report) {
    PlacementSelection selection = report.selection();
    List<RankedPlacement> ranked = report.ranked();
    List<Integer> places = report.places();
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < ranked.size(); i++) {
      entries.add(entry(places.get(i), ranked.get(i)));
    }
    return Json.document(
        "whatif-placements",
        new Placements(
            JobSummary.of(report.job(), report.unmoved().result().connection()),
            report.edits(),
            report.cards().nCards(),
            report.cards().nSlots(),
            report.cards().perSlot(),
            report.ranking().label(),
            Optional.of(selection.total()).filter(count -> selection.isCounted()),
            Optional.of(selection.different()).filter(count -> selection.isCounted()),
            Optional.of(selection.different()).filter(count -> !selection.isCounted()),
            ranked.size(),
            entries));
  }

  private static Entry entry(int rank, RankedPlacement one) {
    NicPlacement placement = one.placement();
    return new Entry(
        rank,
        placement.isPresent(),
        placement.equalPlacements(),
        placement.movedCards(),
        one.score(),
        WhatIfJson.Graph.of(one.ring(), one.score().ringGBps()),
        placement.loads().stream()
            .map(load -> new Load(load.cpu(), load.place(), load.cards(), load.nics()))
            .toList(),
        placement.moves().stream().map(Edit::text).toList());
  }
}
