package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.variant.ChannelCounts;
import dev.topo.simulator.variant.FleetUpgrade;
import dev.topo.simulator.variant.FleetUpgrade.Group;
import dev.topo.simulator.variant.JobAnswer;
import dev.topo.simulator.variant.JobFailure;
import dev.topo.simulator.variant.UpgradeNotes;
import dev.topo.simulator.variant.UpgradePoint;
import dev.topo.simulator.variant.UpgradeResult;
import dev.topo.visualizer.report.UpgradePage;
import dev.topo.visualizer.report.UpgradeWords;
import dev.topo.visualizer.structure.MemoryChange;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.SplitAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Changes caused by another NCCL release as text, JSON or HTML.
 *
 * @param format {@code text}, {@code json} or {@code html}
 * @param isVerbose whether the text is complete instead of fitting on a screen
 * @param envelope what a page states in addition
 */
public record UpgradeOutput(String format, boolean isVerbose, Envelope envelope) {
  /** Number of files of a group that are named; the others are counted. */
  private static final int NAMED_FILES = 3;

  /** Sizes in bytes at which busbw is shown. */
  private static final List<Long> SHOWN_BYTES = List.of(1L << 20, 64L << 20, 1L << 30);

  private static final Fields<JobAnswer> SIDE =
      Fields.of(JobAnswer.class)
          .field("failure", answer -> answer.failure().map(JobFailure::text))
          .components("channels", "calibration");

  private static final Fields<UpgradeResult> UPGRADE =
      Fields.of(UpgradeResult.class)
          .field("job", UpgradeOutput::job)
          .field("equal", UpgradeResult::isEqual)
          .field("unknown", UpgradeResult::unknown)
          .object("before", UpgradeResult::before, SIDE)
          .object("after", UpgradeResult::after, SIDE)
          .field("memoryBefore", result -> result.memoryBefore().map(MemoryChange.MEMORY::json))
          .field("memoryAfter", result -> result.memoryAfter().map(MemoryChange.MEMORY::json))
          .field("points", UpgradeResult::points)
          .object("change", UpgradeResult::change, DiffOutput.CHANGE);

  private static final Fields<UpgradeResult> OF_JOB =
      Fields.of(UpgradeResult.class)
          .field("from", result -> result.from().release().toString())
          .field("to", result -> result.to().release().toString())
          .including(result -> result, UPGRADE);

  private static final Fields<Group> GROUP =
      Fields.of(Group.class).components("files").including(Group::result, UPGRADE);

  private static final Fields<FleetUpgrade> OF_FLEET =
      Fields.of(FleetUpgrade.class)
          .field("from", result -> result.from().release().toString())
          .field("to", result -> result.to().release().toString())
          .field("files", FleetUpgrade::nFiles)
          .field("changed", FleetUpgrade::nChanged)
          .list("groups", FleetUpgrade::groups, GROUP)
          .components("unreadable");

  /** Returns the changes for a job, or for the communicators of a split by label. */
  public Answer of(Map<String, UpgradeResult> results) {
    return switch (format) {
      case "text" -> of(results, this::text);
      case "json" ->
          of(results, result -> Json.document("upgrade", UpgradeNotes.of(result), OF_JOB, result));
      default -> Answer.of(UpgradePage.of(List.copyOf(results.values()), envelope));
    };
  }

  private Answer of(Map<String, UpgradeResult> results, Function<UpgradeResult, Answer> view) {
    return SplitAnswer.of(
        results,
        format,
        isVerbose,
        result -> view.apply(result).saying(UpgradeSentence.of(result)));
  }

  /** Returns the changes for the nodes of a fleet. */
  public Answer of(FleetUpgrade fleet) {
    return switch (format) {
      case "text" -> text(fleet).saying(UpgradeSentence.of(fleet));
      case "json" ->
          Json.document("upgrade-fleet", UpgradeNotes.of(fleet), OF_FLEET, fleet)
              .saying(UpgradeSentence.of(fleet));
      default -> Answer.of(UpgradePage.of(fleet, envelope));
    };
  }

  /** The text about a job: what matters most, then all changes. */
  private Answer text(UpgradeResult result) {
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
      channels(out.line("\nchannels"), result);
      if (!result.change().isNone()) {
        out.line("\nby graph and collective").text(ChangeText.of(result.change(), SHOWN_BYTES));
      }
    }
    MemoryChange.line(result.after().nRanks(), result.memoryBefore(), result.memoryAfter())
        .ifPresent(line -> out.line("").paragraph(line, "  "));
    return Answer.of(notes(out, UpgradeNotes.of(result)).toString());
  }

  /** The text about a fleet, by groups of files with equal changes. */
  private static Answer text(FleetUpgrade result) {
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

  private void channels(TextWriter out, UpgradeResult result) {
    ChannelCounts before = result.before().channels();
    ChannelCounts after = result.after().channels();
    TextTable table = TextTable.indented();
    List<String> same = new ArrayList<>();
    row(table, same, "collectives", before.collective(), after.collective());
    row(table, same, "NVLS", before.nvls(), after.nvls());
    row(table, same, "sends and receives", before.peer(), after.peer());
    row(table, same, "with one peer", before.perPeer(), after.perPeer());
    out.table(table);
    if (!same.isEmpty()) {
      out.line("  as before: %s", String.join(", ", same));
    }
  }

  private void row(TextTable table, List<String> same, String name, int before, int after) {
    if (before != after || isVerbose) {
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

  private static JobSummary job(UpgradeResult result) {
    return new JobSummary(
        result.name(), result.nodes(), Math.max(result.before().nRanks(), result.after().nRanks()));
  }
}
