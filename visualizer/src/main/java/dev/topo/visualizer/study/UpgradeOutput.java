package dev.topo.visualizer.study;

import dev.topo.simulator.variant.FleetUpgrade;
import dev.topo.simulator.variant.FleetUpgrade.Group;
import dev.topo.simulator.variant.JobAnswer;
import dev.topo.simulator.variant.JobFailure;
import dev.topo.simulator.variant.UpgradeNotes;
import dev.topo.simulator.variant.UpgradeResult;
import dev.topo.visualizer.report.UpgradePage;
import dev.topo.visualizer.structure.MemoryChange;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.SplitAnswer;
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
      case "text" -> of(results, result -> UpgradeText.of(result, isVerbose));
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
      case "text" -> UpgradeText.of(fleet).saying(UpgradeSentence.of(fleet));
      case "json" ->
          Json.document("upgrade-fleet", UpgradeNotes.of(fleet), OF_FLEET, fleet)
              .saying(UpgradeSentence.of(fleet));
      default -> Answer.of(UpgradePage.of(fleet, envelope));
    };
  }

  private static JobSummary job(UpgradeResult result) {
    return new JobSummary(
        result.name(), result.nodes(), Math.max(result.before().nRanks(), result.after().nRanks()));
  }
}
