package dev.topo.visualizer.study;

import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.edit.NicPlacement;
import dev.topo.inspect.edit.PlacementSelection;
import dev.topo.simulator.variant.PlacementReport;
import dev.topo.simulator.variant.Score.RankedPlacement;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Placements of network cards as data, the best first. */
public final class PlacementsJson {
  private static final Fields<NicPlacement.Load> LOAD =
      Fields.of(NicPlacement.Load.class)
          .field("cpu", NicPlacement.Load::cpu)
          .field("place", NicPlacement.Load::place)
          .field("cards", NicPlacement.Load::cards)
          .field("nics", NicPlacement.Load::nics);

  private static final Fields<RankedPlacement> PLACEMENT =
      Fields.of(RankedPlacement.class)
          .field("present", placement -> placement.placement().isPresent())
          .field("equalPlacements", placement -> placement.placement().equalPlacements())
          .field("movedCards", placement -> placement.placement().movedCards())
          .including(RankedPlacement::score, WhatIfJson.SCORE)
          .field(
              "ring",
              placement -> WhatIfJson.graph(placement.score().ringGBps()).json(placement.ring()))
          .list("loads", placement -> placement.placement().loads(), LOAD)
          .field(
              "edits",
              placement -> placement.placement().moves().stream().map(Edit::text).toList());

  private static final Fields<Placed> PLACED =
      Fields.of(Placed.class).field("rank", Placed::rank).including(Placed::placement, PLACEMENT);

  /** The numbers of placements are absent where there were too many to count. */
  private static final Fields<PlacementReport> PLACEMENTS =
      Fields.of(PlacementReport.class)
          .field(
              "job", report -> JobSummary.of(report.job(), report.unmoved().result().connection()))
          .field("edits", PlacementReport::edits)
          .field("nCards", report -> report.cards().nCards())
          .field("nPlaces", report -> report.cards().nSlots())
          .field("perPlace", report -> report.cards().perSlot())
          .field("rankedBy", report -> report.ranking().label())
          .field("nPlacements", report -> counted(report).map(PlacementSelection::total))
          .field("nDifferent", report -> counted(report).map(PlacementSelection::different))
          .field(
              "nDifferentMoreThan",
              report ->
                  Optional.of(report.selection())
                      .filter(selection -> !selection.isCounted())
                      .map(PlacementSelection::different))
          .field("nTried", report -> report.ranked().size())
          .list("placements", Placed::of, PLACED);

  /** A placement with its rank among all. */
  private record Placed(int rank, RankedPlacement placement) {
    static List<Placed> of(PlacementReport report) {
      List<Integer> ranks = report.places();
      return IntStream.range(0, ranks.size())
          .mapToObj(i -> new Placed(ranks.get(i), report.ranked().get(i)))
          .toList();
    }
  }

  private PlacementsJson() {}

  /** The placements that were tried, and how many there are. */
  public static Answer of(PlacementReport report) {
    return Json.document("whatif-placements", PLACEMENTS, report);
  }

  private static Optional<PlacementSelection> counted(PlacementReport report) {
    return Optional.of(report.selection()).filter(PlacementSelection::isCounted);
  }
}
