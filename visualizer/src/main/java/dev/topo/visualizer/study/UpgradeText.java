package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.variant.ChannelCounts;
import dev.topo.simulator.variant.FleetUpgrade;
import dev.topo.simulator.variant.FleetUpgrade.Group;
import dev.topo.simulator.variant.UpgradeNotes;
import dev.topo.simulator.variant.UpgradePoint;
import dev.topo.simulator.variant.UpgradeResult;
import dev.topo.visualizer.report.UpgradeWords;
import dev.topo.visualizer.structure.MemoryChange;
import dev.topo.visualizer.view.Answer;
import java.util.ArrayList;
import java.util.List;

/** Writes an upgrade of NCCL as text: what matters most, then all changes. */
public final class UpgradeText {
  /** Number of files of a group that are named; the others are counted. */
  private static final int NAMED_FILES = 3;

  /** Sizes in bytes at which busbw is shown. */
  private static final List<Long> SHOWN_BYTES = List.of(1L << 20, 64L << 20, 1L << 30);

  private UpgradeText() {}

  /**
   * Returns the text about a job.
   *
   * @param verbose whether to show what stays the same as well
   */
  public static Answer of(UpgradeResult result, boolean verbose) {
    TextWriter out = new TextWriter();
    out.line(
        "%s: %s on %s, %s",
        result.name(),
        QuantityFormat.count(Math.max(result.before().nRanks(), result.after().nRanks()), "rank"),
        QuantityFormat.count(result.nodes(), "node"),
        UpgradeWords.releases(result.from(), result.to()));
    if (result.isUnknown()) {
      out.line("\n%s", UpgradeWords.unknown(result));
    } else if (result.isEqual()) {
      out.line("\n%s", UpgradeWords.NOTHING);
    } else {
      out.line("\nwhat matters most");
      points(out, result);
      channels(out.line("\nchannels"), result, verbose);
      if (!result.change().isNone()) {
        out.line("\nby graph and collective").text(ChangeText.of(result.change(), SHOWN_BYTES));
      }
    }
    MemoryChange.line(result.after().nRanks(), result.memoryBefore(), result.memoryAfter())
        .ifPresent(line -> out.line("").paragraph(line, "  "));
    return Answer.of(notes(out, UpgradeNotes.of(result)).toString());
  }

  /** Returns the text about a fleet. */
  public static Answer of(FleetUpgrade result) {
    TextWriter out = new TextWriter();
    int nodes = result.nFiles() - result.unreadable().size();
    out.line(
        "%s%s, %s: %s",
        QuantityFormat.count(result.nFiles(), "file"),
        result.folder().map(folder -> " in " + folder).orElse(""),
        UpgradeWords.releases(result.from(), result.to()),
        UpgradeWords.answer(result));
    for (Group group : result.groups()) {
      UpgradeResult upgrade = group.result();
      out.line(
          "\n%d of %s %s, in a job of %s: %s",
          group.files().size(),
          QuantityFormat.count(nodes, "node"),
          upgrade.isEqual() ? "do not change" : upgrade.isUnknown() ? "may change" : "change",
          QuantityFormat.count(upgrade.nodes(), "equal node"),
          UpgradeWords.files(group.files(), NAMED_FILES));
      points(out, upgrade);
      if (upgrade.isUnknown()) {
        out.line("  %s", UpgradeWords.unknown(upgrade));
      }
    }
    DiffText.unreadable(out, result.unreadable());
    return Answer.of(notes(out, UpgradeNotes.of(result)).toString());
  }

  private static void points(TextWriter out, UpgradeResult result) {
    int number = 1;
    for (UpgradePoint point : result.main()) {
      out.line("  %d. %s", number++, UpgradeWords.point(result, point));
    }
  }

  private static void channels(TextWriter out, UpgradeResult result, boolean verbose) {
    ChannelCounts before = result.before().channels();
    ChannelCounts after = result.after().channels();
    TextTable table = TextTable.indented();
    List<String> same = new ArrayList<>();
    row(table, same, verbose, "collectives", before.collective(), after.collective());
    row(table, same, verbose, "NVLS", before.nvls(), after.nvls());
    row(table, same, verbose, "sends and receives", before.peer(), after.peer());
    row(table, same, verbose, "with one peer", before.perPeer(), after.perPeer());
    out.table(table);
    if (!same.isEmpty()) {
      out.line("  as before: %s", String.join(", ", same));
    }
  }

  private static void row(
      TextTable table, List<String> same, boolean verbose, String name, int before, int after) {
    if (before != after || verbose) {
      table.row(name, ChangeWords.arrow(before, after));
    } else {
      same.add(name + " " + after);
    }
  }

  private static TextWriter notes(TextWriter out, List<String> notes) {
    out.line("");
    notes.forEach(note -> out.paragraph("not modelled: " + note, "  "));
    return out;
  }
}
