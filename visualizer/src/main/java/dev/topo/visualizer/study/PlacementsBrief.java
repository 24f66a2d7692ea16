package dev.topo.visualizer.study;

import dev.topo.inspect.edit.NicPlacement;
import dev.topo.model.QuantityFormat;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.variant.PlacementReport;
import dev.topo.simulator.variant.Score.RankedPlacement;
import dev.topo.visualizer.times.BasisLines;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.CompactTable;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Placements of network cards, those that are as good as each other in one row. */
final class PlacementsBrief {
  private static final List<String> COLUMNS =
      List.of("", "cards at each place", "placements", "rings GB/s", "trees GB/s", "busbw", "");

  private PlacementsBrief() {}

  static Answer of(PlacementReport report, int top) {
    TextWriter out = new TextWriter();
    List<List<String>> kinds = report.cards().kinds();
    List<Integer> places = report.places();
    Map<Integer, List<RankedPlacement>> equal = new LinkedHashMap<>();
    for (int i = 0; i < places.size(); i++) {
      equal.computeIfAbsent(places.get(i), key -> new ArrayList<>()).add(report.ranked().get(i));
    }
    CompactTable table = new CompactTable(2, COLUMNS);
    equal.entrySet().stream()
        .limit(top)
        .forEach(row -> row(table, row.getKey(), row.getValue(), report));
    out.line(
        "busbw in GB/s of %s in a job of %s; %s",
        WhatIfText.call(report.mainCall()), report.job(), PlacementsText.tried(report.selection()));
    out.table(table.differing());
    if (equal.size() > top) {
      out.line("(%d more rows, %s)", equal.size() - top, Hint.MORE_PLACEMENTS);
    }
    NicPlacement best = report.ranked().get(0).placement();
    out.line(
        "places: %s",
        PlacementsText.byCpu(best, load -> load.place().replaceFirst("^switch:", "")));
    if (kinds.size() > 1) {
      out.line("cards: %s", PlacementsText.kinds(kinds));
    }
    if (!best.isPresent()) {
      PlacementsText.best(out, best, report.selection().isAll());
    }
    BasisLines basis = new BasisLines();
    report.unmoved().prediction(report.mainCall()).ifPresent(basis::add);
    basis.write(out, List.of());
    return Answer.of(out.toString());
  }

  private static void row(
      CompactTable table, int place, List<RankedPlacement> equal, PlacementReport report) {
    RankedPlacement first =
        equal.stream()
            .filter(placement -> placement.placement().isPresent())
            .findFirst()
            .orElse(equal.get(0));
    int others = equal.size() - 1;
    table.row(
        place,
        PlacementsText.byCpu(
                first.placement(), load -> PlacementsText.cards(load, report.cards().kinds()))
            + (others > 0 ? " and %s".formatted(QuantityFormat.count(others, "other")) : ""),
        equal.stream().mapToLong(placement -> placement.placement().equalPlacements()).sum(),
        WhatIfText.product(first.ring(), true, first.score().ringGBps()).replace(" GB/s", ""),
        PrintfNumber.general((float) first.score().treeGBps()),
        PlacementsHeadline.ranged(report, first).text(),
        first.placement().isPresent() ? "as it is" : "");
  }
}
