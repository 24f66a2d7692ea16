package dev.topo.cli.output.change;

import dev.topo.cli.output.Answer;
import dev.topo.cli.output.Json;
import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.placement.NicPlacement;
import dev.topo.inspect.placement.PlacementSelection;
import dev.topo.simulator.whatif.RankedPlacement;
import dev.topo.simulator.whatif.Score;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Placements of network cards as data, the best first. */
public final class PlacementsJson {
  private PlacementsJson() {}

  /** The placements that were tried, and how many there are. */
  public static Answer of(
      PlacementsText.Heading heading, List<RankedPlacement> ranked, Score.Ranking ranking) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("machines", heading.job());
    tree.put("edits", heading.edits());
    tree.put("nCards", heading.nCards());
    tree.put("nPlaces", heading.nPlaces());
    tree.put("perPlace", heading.perPlace());
    tree.put("rankedBy", WhatIfText.measure(ranking));
    PlacementSelection selection = heading.selection();
    tree.put("nPlacements", selection.isCounted() ? (Object) selection.total() : Json.NULL);
    tree.put("nDifferent", selection.isCounted() ? (Object) selection.different() : Json.NULL);
    if (!selection.isCounted()) {
      tree.put("nDifferentMoreThan", selection.different());
    }
    tree.put("nTried", ranked.size());
    List<Integer> places = PlacementsText.places(ranked, ranking);
    List<Object> entries = new ArrayList<>();
    for (int i = 0; i < ranked.size(); i++) {
      entries.add(entry(places.get(i), ranked.get(i)));
    }
    tree.put("placements", entries);
    return Answer.of(Json.write(tree));
  }

  private static Map<String, Object> entry(int rank, RankedPlacement one) {
    NicPlacement placement = one.placement();
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("rank", rank);
    entry.put("isPresent", placement.isPresent());
    entry.put("equalPlacements", placement.equalPlacements());
    entry.put("movedCards", placement.movedCards());
    WhatIfJson.score(entry, one.score());
    entry.put("ring", WhatIfJson.graph(one.ring(), one.score().ringGBps()));
    List<Object> loads = new ArrayList<>();
    for (NicPlacement.Load load : placement.loads()) {
      Map<String, Object> at = new LinkedHashMap<>();
      at.put("cpu", load.cpu());
      at.put("place", load.place());
      at.put("cards", load.cards());
      at.put("nics", load.nics());
      loads.add(at);
    }
    entry.put("loads", loads);
    entry.put("edits", placement.moves().stream().map(Edit::text).toList());
    return entry;
  }
}
