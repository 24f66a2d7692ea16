package dev.topo.cli.output.change;

import dev.topo.cli.output.Answer;
import dev.topo.cli.output.JobSummary;
import dev.topo.cli.output.TextTable;
import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.placement.NicPlacement;
import dev.topo.inspect.placement.PlacementSelection;
import dev.topo.model.PrintfNumber;
import dev.topo.model.QuantityFormat;
import dev.topo.search.cost.CollectiveCall;
import dev.topo.simulator.Prediction.Source;
import dev.topo.simulator.whatif.Score;
import dev.topo.simulator.whatif.Score.RankedPlacement;
import dev.topo.simulator.whatif.WhatIfReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** Placements of network cards, the best first, as people read them. */
public final class PlacementsText {
  /**
   * What the placements are of.
   *
   * @param job the job
   * @param edits what was edited before
   * @param nCards number of cards
   * @param nPlaces number of places where they may go
   * @param perPlace most cards at a place
   * @param kinds the cards, those of one kind together
   * @param selection which placements were tried, of how many
   * @param call the call whose busbw is told
   * @param source what the busbw rests on; empty where NCCL refuses the call
   */
  public record Heading(
      JobSummary job,
      String edits,
      int nCards,
      int nPlaces,
      int perPlace,
      List<List<String>> kinds,
      PlacementSelection selection,
      CollectiveCall call,
      Optional<Source> source) {
    /** Checks that no part is missing. */
    public Heading {
      kinds = List.copyOf(kinds);
      Objects.requireNonNull(selection, "selection");
      Objects.requireNonNull(job, "job");
      Objects.requireNonNull(edits, "edits");
      Objects.requireNonNull(call, "call");
      Objects.requireNonNull(source, "source");
    }
  }

  private PlacementsText() {}

  /** The {@code top} best of ranked placements, how the machine is now, and how to get the best. */
  public static Answer of(
      Heading heading, List<RankedPlacement> ranked, Score.Ranking ranking, int top) {
    StringBuilder out = new StringBuilder();
    out.append(heading.job.machines()).append(": ");
    out.append(heading.nCards)
        .append(heading.nCards == 1 ? " network card at " : " network cards at ");
    out.append(heading.nPlaces)
        .append(heading.nPlaces == 1 ? " place, at most " : " places, at most ")
        .append(heading.perPlace)
        .append(" each\n");
    if (!heading.edits.isEmpty()) {
      out.append("after ").append(heading.edits).append('\n');
    }
    out.append(tried(heading.selection)).append("; by ").append(WhatIfText.measure(ranking));
    out.append(heading.job.nodes() > 1 ? " between nodes\n\n" : "\n\n");
    List<Integer> places = places(ranked, ranking);
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "",
            "cards at each place",
            "equal",
            "ring",
            "tree",
            heading.call.collective().label()
                + " "
                + QuantityFormat.size(heading.call.sizeBytes())
                + "*",
            ""));
    for (int i = 0; i < ranked.size(); i++) {
      if (i < top || ranked.get(i).placement().isPresent()) {
        rows.add(row(places.get(i), ranked.get(i), heading.kinds));
      }
    }
    TextTable.append(out, rows);
    if (ranked.size() > top) {
      out.append("(").append(ranked.size());
      out.append(heading.selection.isAll() ? " in all" : " tried").append(", --top shows more)\n");
    }
    out.append("\nplaces: ").append(legend(ranked.get(0).placement())).append('\n');
    if (heading.kinds.size() > 1) {
      out.append("cards: ").append(kinds(heading.kinds)).append('\n');
    }
    best(out, ranked.get(0).placement(), heading.selection.isAll());
    out.append("* busbw in GB/s");
    out.append(heading.source.map(PlacementsText::origin).orElse("")).append('\n');
    return Answer.of(out.toString());
  }

  /** How many placements there are and how many of them were tried. */
  private static String tried(PlacementSelection selection) {
    String ways =
        selection.isCounted()
            ? selection.total() + (selection.total() == 1 ? " placement, " : " placements, ")
            : "";
    String all =
        ways
            + different(selection)
            + (selection.isCounted() ? "" : " placements")
            + " with equal ones counted once";
    return selection.isAll()
        ? all
        : all
            + ";\ntried the "
            + selection.placements().size()
            + " of "
            + different(selection)
            + " that move the fewest cards (--max-placements)";
  }

  /** How many placements there are, those equal by symmetry once. */
  public static String different(PlacementSelection selection) {
    return (selection.isCounted() ? "" : "more than ") + selection.different();
  }

  private static String origin(Source source) {
    return switch (source) {
      case CALIBRATION -> " by calibration, see topo predict";
      case PUBLISHED -> " by published measurements, see topo predict";
      case NCCL_MODEL -> " by NCCL's own tuning model, which ranks algorithms";
    };
  }

  static List<Integer> places(List<RankedPlacement> ranked, Score.Ranking ranking) {
    return WhatIfReport.places(
        ranked, Comparator.comparing(RankedPlacement::score, ranking.order()));
  }

  private static List<String> row(int place, RankedPlacement one, List<List<String>> kinds) {
    return List.of(
        String.valueOf(place),
        loads(one.placement(), kinds),
        String.valueOf(one.placement().equalPlacements()),
        WhatIfText.product(one.ring(), true, one.score().ringGBps()) + " " + one.ring().typeInter(),
        PrintfNumber.general((float) one.score().treeGBps()) + " GB/s",
        String.format(Locale.ROOT, "%.4g", one.score().busbwGBps()),
        one.placement().isPresent() ? "as it is" : "");
  }

  /** Cards at each place, a bar between CPUs. */
  private static String loads(NicPlacement placement, List<List<String>> kinds) {
    StringBuilder text = new StringBuilder();
    String cpu = "";
    for (NicPlacement.Load load : placement.loads()) {
      boolean isOtherCpu = !text.isEmpty() && !load.cpu().equals(cpu);
      text.append(isOtherCpu ? " | " : text.isEmpty() ? "" : " ").append(cards(load, kinds));
      cpu = load.cpu();
    }
    return text.toString();
  }

  /** Their number, or where they are of several kinds which: {@code a+2b}. */
  private static String cards(NicPlacement.Load load, List<List<String>> kinds) {
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

  private static String kinds(List<List<String>> kinds) {
    List<String> texts = new ArrayList<>();
    for (int kind = 0; kind < kinds.size(); kind++) {
      texts.add(label(kinds, kind) + " = " + String.join(" ", kinds.get(kind)));
    }
    return String.join(", ", texts);
  }

  private static String legend(NicPlacement placement) {
    StringBuilder text = new StringBuilder();
    String cpu = "";
    for (NicPlacement.Load load : placement.loads()) {
      boolean isOtherCpu = !text.isEmpty() && !load.cpu().equals(cpu);
      text.append(isOtherCpu ? " | " : text.isEmpty() ? "" : " ");
      text.append(load.place().replaceFirst("^switch:", ""));
      cpu = load.cpu();
    }
    return text.toString();
  }

  private static void best(StringBuilder out, NicPlacement best, boolean isOfAll) {
    if (best.isPresent()) {
      out.append(
          isOfAll
              ? "the machine as it is has the best placement\n"
              : "none that was tried is better than the machine as it is\n");
      return;
    }
    out.append("edits for the first placement\n");
    for (Edit edit : best.moves()) {
      out.append("  ").append(edit.text()).append('\n');
    }
  }
}
