package dev.topo.visualizer.study;

import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.edit.NicPlacement;
import dev.topo.inspect.edit.PlacementSelection;
import dev.topo.model.QuantityFormat;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.variant.PlacementReport;
import dev.topo.simulator.variant.Score.RankedPlacement;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Placements of network cards, the best first, as people read them. */
public final class PlacementsText {
  private PlacementsText() {}

  /**
   * The {@code top} best of ranked placements, how the machine is now, and how to get the best.
   *
   * @param verbose each placement by itself; else those that are as good as each other in a row
   */
  public static Answer of(PlacementReport report, int top, boolean verbose) {
    return verbose ? each(report, top) : PlacementsBrief.of(report, top);
  }

  private static Answer each(PlacementReport report, int top) {
    List<RankedPlacement> ranked = report.ranked();
    PlacementSelection selection = report.selection();
    List<List<String>> kinds = report.cards().kinds();
    TextWriter out = new TextWriter();
    out.line(
        "%s: %s at %s, at most %d each",
        report.job(),
        QuantityFormat.count(report.cards().nCards(), "network card"),
        QuantityFormat.count(report.cards().nSlots(), "place"),
        report.cards().perSlot());
    if (!report.edits().isEmpty()) {
      out.line("after %s", report.edits());
    }
    out.text(tried(selection))
        .line(
            "; by %s%s\n",
            report.ranking().label(), report.unmoved().crossesNetwork() ? " between nodes" : "");
    List<Integer> places = report.places();
    TextTable table = TextTable.atMargin();
    String call = WhatIfText.call(report.mainCall()) + "*";
    table.row("", "cards at each place", "equal", "ring", "tree", call, "");
    for (int i = 0; i < ranked.size(); i++) {
      if (i < top || ranked.get(i).placement().isPresent()) {
        row(table, places.get(i), ranked.get(i), kinds);
      }
    }
    out.table(table);
    if (ranked.size() > top) {
      String all = selection.isAll() ? "in all" : "tried";
      out.line("(%d %s, %s)", ranked.size(), all, Hint.MORE_PLACEMENTS);
    }
    NicPlacement best = ranked.get(0).placement();
    out.line("\nplaces: %s", byCpu(best, load -> load.place().replaceFirst("^switch:", "")));
    if (kinds.size() > 1) {
      out.line("cards: %s", kinds(kinds));
    }
    best(out, best, selection.isAll());
    out.line("* busbw in GB/s%s", report.source().map(PlacementsText::origin).orElse(""));
    return Answer.of(out.toString());
  }

  /** How many placements there are and how many of them were tried. */
  static String tried(PlacementSelection selection) {
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
            "%s;\ntried the %d of %s that move the fewest cards (%s)",
            all, selection.placements().size(), different, Hint.MOST_PLACEMENTS);
  }

  /** How many placements there are, those equal by symmetry once. */
  public static String different(PlacementSelection selection) {
    return (selection.isCounted() ? "" : "more than ") + selection.different();
  }

  private static String origin(Source source) {
    return switch (source) {
      case CALIBRATION -> " by calibration, see topo predict";
      case PUBLISHED -> " by published measurements, see topo predict";
      case NETWORK -> " by the model of the network, see topo predict";
      case UNMEASURED -> " by the model of the network, never measured, see topo predict";
      case NCCL_MODEL -> " by NCCL's own tuning model, which ranks algorithms";
    };
  }

  private static void row(
      TextTable table, int place, RankedPlacement placement, List<List<String>> kinds) {
    table.row(
        place,
        byCpu(placement.placement(), load -> cards(load, kinds)),
        placement.placement().equalPlacements(),
        WhatIfText.product(placement.ring(), true, placement.score().ringGBps())
            + " "
            + placement.ring().typeInter(),
        PrintfNumber.general((float) placement.score().treeGBps()) + " GB/s",
        TextWriter.format("%.4g", placement.score().busbwGBps()),
        placement.placement().isPresent() ? "as it is" : "");
  }

  /** A text for each place, a bar between CPUs. */
  static String byCpu(NicPlacement placement, Function<NicPlacement.Load, String> text) {
    StringBuilder all = new StringBuilder();
    String cpu = "";
    for (NicPlacement.Load load : placement.loads()) {
      boolean isOtherCpu = !load.cpu().equals(cpu);
      all.append(all.isEmpty() ? "" : isOtherCpu ? " | " : " ").append(text.apply(load));
      cpu = load.cpu();
    }
    return all.toString();
  }

  /** Their number, or where they are of several kinds which: {@code a+2b}. */
  static String cards(NicPlacement.Load load, List<List<String>> kinds) {
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

  /** A letter for a kind; the name of its first card where there are more kinds than letters. */
  private static String label(List<List<String>> kinds, int kind) {
    return kinds.size() <= 'z' - 'a' + 1
        ? String.valueOf((char) ('a' + kind))
        : kinds.get(kind).get(0);
  }

  static String kinds(List<List<String>> kinds) {
    List<String> texts = new ArrayList<>();
    for (int kind = 0; kind < kinds.size(); kind++) {
      texts.add(label(kinds, kind) + " = " + String.join(" ", kinds.get(kind)));
    }
    return String.join(", ", texts);
  }

  static void best(TextWriter out, NicPlacement best, boolean isOfAll) {
    if (best.isPresent()) {
      out.line(
          isOfAll
              ? "the machine as it is has the best placement"
              : "none that was tried is better than the machine as it is");
      return;
    }
    out.line("edits for the first placement");
    out.lines("  ", best.moves().stream().map(Edit::text).toList());
  }
}
