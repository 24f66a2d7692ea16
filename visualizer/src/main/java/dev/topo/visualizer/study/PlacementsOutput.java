package dev.topo.visualizer.study;

import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.edit.NicPlacement;
import dev.topo.inspect.edit.NicPlacement.Load;
import dev.topo.inspect.edit.PlacementSelection;
import dev.topo.model.Alike;
import dev.topo.model.QuantityFormat;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.variant.PlacementReport;
import dev.topo.simulator.variant.Score.RankedPlacement;
import dev.topo.visualizer.times.BasisLines;
import dev.topo.visualizer.times.PredictionRow;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.CompactTable;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Ranked placements of network cards as text and as JSON, best first. */
public final class PlacementsOutput {
  private static final List<String> COLUMNS =
      List.of("", "cards at each place", "placements", "rings GB/s", "trees GB/s", "busbw", "");

  private static final Fields<Load> LOAD =
      Fields.of(Load.class)
          .components("cpu", "place")
          .field("cards", Load::cards)
          .components("nics");

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
      Fields.of(Placed.class).components("rank").including(Placed::placement, PLACEMENT);

  /** The total numbers of placements are absent if there were too many to count. */
  private static final Fields<PlacementReport> PLACEMENTS =
      Fields.of(PlacementReport.class)
          .field("job", report -> JobSummary.of(report.job(), report.unmoved().connection()))
          .components("edits")
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

  /** A placement with its rank among all placements. */
  private record Placed(int rank, RankedPlacement placement) {
    static List<Placed> of(PlacementReport report) {
      List<Integer> ranks = report.places();
      return IntStream.range(0, ranks.size())
          .mapToObj(i -> new Placed(ranks.get(i), report.ranked().get(i)))
          .toList();
    }
  }

  private final PlacementReport report;
  private final boolean isVerbose;
  private final TextWriter out = new TextWriter();

  private PlacementsOutput(PlacementReport report, boolean isVerbose) {
    this.report = report;
    this.isVerbose = isVerbose;
  }

  /**
   * Returns the placements, with the summarising sentence.
   *
   * @param format {@code text} or {@code json}
   * @param top the number of placements that the text shows
   */
  public static Answer in(String format, PlacementReport report, int top, boolean isVerbose) {
    return (format.equals("text") ? of(report, top, isVerbose) : json(report))
        .saying(PlacementsSentence.of(report));
  }

  /**
   * Returns the {@code top} best placements, the present one, and the edits that lead to the best.
   *
   * @param isVerbose whether each placement has its own row; otherwise equally good ones share a
   *     row
   */
  public static Answer of(PlacementReport report, int top, boolean isVerbose) {
    return Answer.of(new PlacementsOutput(report, isVerbose).text(top));
  }

  private String text(int top) {
    if (isVerbose) {
      out.line(
          "%s at %s, at most %d each; by %s%s",
          QuantityFormat.count(report.cards().nCards(), "network card"),
          QuantityFormat.count(report.cards().nSlots(), "place"),
          report.cards().perSlot(),
          report.ranking().label(),
          report.unmoved().crossesNetwork() ? " between nodes" : "");
      if (!report.edits().isEmpty()) {
        out.line("after %s", report.edits());
      }
    }
    out.line(
        "busbw in GB/s of %s in a job of %s; %s",
        PredictionRow.call(report.mainCall()), report.job(), tried(report.selection()));
    List<Integer> places = report.places();
    Map<Integer, List<RankedPlacement>> rows =
        Alike.by(
            IntStream.range(0, places.size()).boxed().toList(),
            i -> isVerbose ? i : places.get(i),
            report.ranked()::get);
    CompactTable table = new CompactTable(isVerbose ? COLUMNS.size() : 2, COLUMNS);
    rows.forEach(
        (key, equal) -> {
          if (table.size() < top || isVerbose && equal.get(0).placement().isPresent()) {
            row(table, isVerbose ? places.get(key) : key, equal);
          }
        });
    out.table(table.differing());
    if (rows.size() > table.size()) {
      out.line("(%d more rows, %s)", rows.size() - table.size(), Hint.MORE_PLACEMENTS);
    }
    NicPlacement best = report.ranked().get(0).placement();
    out.line("places: %s", byCpu(best, load -> load.place().replaceFirst("^switch:", "")));
    List<List<String>> kinds = report.cards().kinds();
    if (kinds.size() > 1) {
      out.line("cards: %s", kinds(kinds));
    }
    if (!best.isPresent()) {
      out.line("edits for the first placement");
      out.lines("  ", best.moves().stream().map(Edit::text).toList());
    }
    BasisLines basis = new BasisLines();
    report.unmoved().prediction(report.mainCall()).ifPresent(basis::add);
    basis.write(out, List.of(), false);
    return out.toString();
  }

  private void row(CompactTable table, int place, List<RankedPlacement> equal) {
    RankedPlacement first =
        equal.stream()
            .filter(placement -> placement.placement().isPresent())
            .findFirst()
            .orElse(equal.get(0));
    int others = equal.size() - 1;
    table.row(
        place,
        byCpu(first.placement(), load -> cards(load, report.cards().kinds()))
            + (others > 0 ? " and %s".formatted(QuantityFormat.count(others, "other")) : ""),
        equal.stream().mapToLong(placement -> placement.placement().equalPlacements()).sum(),
        EditedGraphs.bandwidth(first.ring(), true, first.score().ringGBps())
            + (isVerbose ? " " + first.ring().typeInter() : ""),
        PrintfNumber.general((float) first.score().treeGBps()),
        PlacementsSentence.ranged(report, first).text(),
        first.placement().isPresent() ? "as it is" : "");
  }

  /** The number of placements, and how many of them were tried. */
  private static String tried(PlacementSelection selection) {
    String different = different(selection);
    String all =
        (selection.isCounted()
                ? selection.total() + (selection.total() == 1 ? " placement, " : " placements, ")
                : "")
            + different
            + (selection.isCounted() ? "" : " placements")
            + " with equal ones counted once";
    return selection.isAll()
        ? all
        : TextWriter.format(
            "%s; tried the %d of %s that move the fewest cards (%s)",
            all, selection.placements().size(), different, Hint.MOST_PLACEMENTS);
  }

  /** Returns the number of placements, counting those that are equal by symmetry once. */
  public static String different(PlacementSelection selection) {
    return (selection.isCounted() ? "" : "more than ") + selection.different();
  }

  /** Joins a text for each place, with a bar between CPUs. */
  private static String byCpu(NicPlacement placement, Function<Load, String> text) {
    StringBuilder all = new StringBuilder();
    String cpu = "";
    for (Load load : placement.loads()) {
      boolean isOtherCpu = !load.cpu().equals(cpu);
      all.append(all.isEmpty() ? "" : isOtherCpu ? " | " : " ").append(text.apply(load));
      cpu = load.cpu();
    }
    return all.toString();
  }

  /** The number of cards at a place, by kind if there are several kinds: {@code a+2b}. */
  private static String cards(Load load, List<List<String>> kinds) {
    if (kinds.size() == 1 || load.cards() == 0) {
      return String.valueOf(load.cards());
    }
    List<String> parts = new ArrayList<>();
    for (int kind = 0; kind < kinds.size(); kind++) {
      long n = load.nics().stream().filter(kinds.get(kind)::contains).count();
      if (n > 0) {
        parts.add((n == 1 ? "" : n) + label(kinds, kind));
      }
    }
    return String.join("+", parts);
  }

  /**
   * A letter for a kind of card; the name of its first card if there are more kinds than letters.
   */
  private static String label(List<List<String>> kinds, int kind) {
    return kinds.size() <= 'z' - 'a' + 1
        ? String.valueOf((char) ('a' + kind))
        : kinds.get(kind).get(0);
  }

  private static String kinds(List<List<String>> kinds) {
    List<String> texts = new ArrayList<>();
    for (int kind = 0; kind < kinds.size(); kind++) {
      texts.add(label(kinds, kind) + " = " + String.join(" ", kinds.get(kind)));
    }
    return String.join(", ", texts);
  }

  /** The placements that were tried as JSON, with the total number. */
  public static Answer json(PlacementReport report) {
    return Json.document("whatif-placements", PLACEMENTS, report);
  }

  private static Optional<PlacementSelection> counted(PlacementReport report) {
    return Optional.of(report.selection()).filter(PlacementSelection::isCounted);
  }
}
