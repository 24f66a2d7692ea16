package dev.topo.visualizer.study;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.topo.inspect.difference.Fleet;
import dev.topo.simulator.variant.ChannelCounts;
import dev.topo.simulator.variant.FleetUpgrade;
import dev.topo.simulator.variant.JobAnswer;
import dev.topo.simulator.variant.JobFailure;
import dev.topo.simulator.variant.UpgradeNotes;
import dev.topo.simulator.variant.UpgradePoint;
import dev.topo.simulator.variant.UpgradeResult;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** An upgrade of NCCL as data. */
public final class UpgradeJson {
  /**
   * A job.
   *
   * @param notes the caveats of the document, by the former name
   */
  private record Single(String from, String to, @JsonUnwrapped Entry upgrade, List<String> notes) {}

  /**
   * A fleet.
   *
   * @param notes the caveats of the document, by the former name
   */
  private record Many(
      String from,
      String to,
      int files,
      int changed,
      List<Group> groups,
      List<Fleet.Unreadable> unreadable,
      List<String> notes) {}

  private record Group(List<Path> files, @JsonUnwrapped Entry upgrade) {}

  private record Entry(
      JobSummary job,
      boolean equal,
      Optional<String> unknown,
      Side before,
      Side after,
      List<Point> points,
      DiffJson.Change change) {}

  private record Side(
      Optional<String> failure, ChannelCounts channels, Optional<String> calibration) {}

  private record Point(String topic, String subject, String before, String after) {}

  private UpgradeJson() {}

  /** A job. */
  public static Answer of(UpgradeResult result) {
    return Json.document(
        "upgrade",
        UpgradeNotes.of(result),
        new Single(
            result.from().release().toString(),
            result.to().release().toString(),
            entry(result),
            UpgradeNotes.of(result)));
  }

  /** A fleet. */
  public static Answer of(FleetUpgrade result) {
    return Json.document(
        "upgrade-fleet",
        UpgradeNotes.of(result),
        new Many(
            result.from().release().toString(),
            result.to().release().toString(),
            result.nFiles(),
            result.nChanged(),
            result.groups().stream()
                .map(group -> new Group(group.files(), entry(group.result())))
                .toList(),
            result.unreadable(),
            UpgradeNotes.of(result)));
  }

  private static Entry entry(UpgradeResult result) {
    return new Entry(
        new JobSummary(
            result.name(),
            result.nodes(),
            Math.max(result.before().nRanks(), result.after().nRanks())),
        result.isEqual(),
        result.unknown(),
        side(result.before()),
        side(result.after()),
        result.points().stream().map(UpgradeJson::point).toList(),
        DiffJson.change(result.change()));
  }

  private static Side side(JobAnswer answer) {
    return new Side(
        answer.failure().map(JobFailure::text), answer.channels(), answer.calibration());
  }

  private static Point point(UpgradePoint point) {
    return new Point(point.topic().label(), point.subject(), point.before(), point.after());
  }
}
