package dev.topo.visualizer.study;

import dev.topo.simulator.variant.FleetUpgrade;
import dev.topo.simulator.variant.JobAnswer;
import dev.topo.simulator.variant.JobFailure;
import dev.topo.simulator.variant.UpgradeNotes;
import dev.topo.simulator.variant.UpgradePoint;
import dev.topo.simulator.variant.UpgradeResult;
import dev.topo.visualizer.structure.MemoryChange;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;

/** An upgrade of NCCL as data. */
public final class UpgradeJson {
  private static final Fields<JobAnswer> SIDE =
      Fields.of(JobAnswer.class)
          .field("failure", answer -> answer.failure().map(JobFailure::text))
          .field("channels", JobAnswer::channels)
          .field("calibration", JobAnswer::calibration);

  private static final Fields<UpgradePoint> POINT =
      Fields.of(UpgradePoint.class)
          .field("topic", point -> point.topic().label())
          .field("subject", UpgradePoint::subject)
          .field("before", UpgradePoint::before)
          .field("after", UpgradePoint::after);

  private static final Fields<UpgradeResult> UPGRADE =
      Fields.of(UpgradeResult.class)
          .field("job", UpgradeJson::job)
          .field("equal", UpgradeResult::isEqual)
          .field("unknown", UpgradeResult::unknown)
          .object("before", UpgradeResult::before, SIDE)
          .object("after", UpgradeResult::after, SIDE)
          .field("memoryBefore", result -> result.memoryBefore().map(MemoryChange.MEMORY::json))
          .field("memoryAfter", result -> result.memoryAfter().map(MemoryChange.MEMORY::json))
          .list("points", UpgradeResult::points, POINT)
          .object("change", UpgradeResult::change, DiffJson.CHANGE);

  private static final Fields<UpgradeResult> OF_JOB =
      Fields.of(UpgradeResult.class)
          .field("from", result -> result.from().release().toString())
          .field("to", result -> result.to().release().toString())
          .including(result -> result, UPGRADE)
          .field("notes", UpgradeNotes::of);

  private static final Fields<FleetUpgrade.Group> GROUP =
      Fields.of(FleetUpgrade.Group.class)
          .field("files", FleetUpgrade.Group::files)
          .including(FleetUpgrade.Group::result, UPGRADE);

  private static final Fields<FleetUpgrade> OF_FLEET =
      Fields.of(FleetUpgrade.class)
          .field("from", result -> result.from().release().toString())
          .field("to", result -> result.to().release().toString())
          .field("files", FleetUpgrade::nFiles)
          .field("changed", FleetUpgrade::nChanged)
          .list("groups", FleetUpgrade::groups, GROUP)
          .field("unreadable", FleetUpgrade::unreadable)
          .field("notes", UpgradeNotes::of);

  private UpgradeJson() {}

  /** A job; {@code notes} are the caveats of the document by the former name. */
  public static Answer of(UpgradeResult result) {
    return Json.document("upgrade", UpgradeNotes.of(result), OF_JOB, result);
  }

  /** A fleet; {@code notes} are the caveats of the document by the former name. */
  public static Answer of(FleetUpgrade result) {
    return Json.document("upgrade-fleet", UpgradeNotes.of(result), OF_FLEET, result);
  }

  private static JobSummary job(UpgradeResult result) {
    return new JobSummary(
        result.name(), result.nodes(), Math.max(result.before().nRanks(), result.after().nRanks()));
  }
}
