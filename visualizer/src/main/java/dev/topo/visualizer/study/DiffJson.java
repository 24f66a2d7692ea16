package dev.topo.visualizer.study;

import dev.topo.inspect.difference.Difference;
import dev.topo.inspect.difference.Fleet;
import dev.topo.model.MachineFormat;
import dev.topo.model.io.SourceLocation;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.variant.DiffResult;
import dev.topo.simulator.variant.DiffResult.DiffSettings;
import dev.topo.simulator.variant.FleetResult;
import dev.topo.simulator.variant.JobChange;
import dev.topo.simulator.variant.JobFailure;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Json;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Differences as data. Two machines: {@code a, b, job, differences[]} (kind, sentence, property,
 * before, after, places[], change) and {@code together}. A fleet: {@code files, job, groups[]}
 * (files, reference, differences[], change) and {@code unreadable[]}. A change: {@code failure,
 * graphs[], choices[], busbw[]}.
 */
public final class DiffJson {
  private record Pair(
      Job job, Side a, Side b, List<DifferenceEntry> differences, Change together) {}

  private record FleetEntry(
      Job job, int files, List<Group> groups, List<Fleet.Unreadable> unreadable) {}

  /** The job in which differences are tried; without ranks where NCCL gives up on it. */
  private record Job(
      String machines,
      int nodes,
      int ranks,
      Optional<String> failure,
      List<String> calibrations,
      boolean calibrated,
      List<Source> sources) {}

  private record Side(String name, Path file, String summary) {}

  /** The change is absent in a fleet, where it is that of the group. */
  private record DifferenceEntry(
      Difference.Kind kind,
      String sentence,
      String property,
      String before,
      String after,
      List<Place> places,
      Optional<Change> change) {}

  private record Place(String name, Optional<Position> a, Optional<Position> b) {}

  private record Position(int line, int column) {}

  private record Group(
      boolean reference,
      List<Path> files,
      List<DifferenceEntry> differences,
      Optional<Change> change) {}

  record Change(
      Optional<String> failure,
      List<JobChange.GraphChange> graphs,
      List<JobChange.ChoiceChange> choices,
      List<BusbwEntry> busbw) {}

  record BusbwEntry(
      Operation collective,
      long bytes,
      double beforeGBps,
      double afterGBps,
      boolean calibrated,
      List<Source> sources) {}

  private DiffJson() {}

  /** Two machines. */
  public static Answer of(DiffResult result) {
    return Json.document(
        "diff",
        new Pair(
            job(result.a(), result.settings()),
            side(result.a()),
            side(result.b()),
            result.differences().stream()
                .map(tried -> difference(tried.difference(), Optional.of(change(tried.change()))))
                .toList(),
            change(result.together())));
  }

  /** A fleet. */
  public static Answer of(FleetResult result) {
    FleetResult.Reference reference = result.reference().orElseThrow();
    return Json.document(
        "diff-fleet",
        new FleetEntry(
            job(reference.machine(), reference.settings()),
            result.nFiles(),
            Stream.concat(
                    Stream.of(new Group(true, reference.files(), List.of(), Optional.empty())),
                    result.odd().stream().map(DiffJson::group))
                .toList(),
            result.unreadable()));
  }

  private static Group group(FleetResult.Odd odd) {
    return new Group(
        false,
        odd.files(),
        odd.differences().stream().map(one -> difference(one, Optional.empty())).toList(),
        Optional.of(change(odd.change())));
  }

  private static Side side(DiffResult.Side side) {
    return new Side(side.name(), side.file(), MachineFormat.summary(side.topology()));
  }

  private static Job job(DiffResult.Side machine, DiffSettings settings) {
    return new Job(
        machine.name() + (settings.nodes() == 1 ? "" : " x " + settings.nodes()),
        settings.nodes(),
        settings.nRanks(),
        settings.failure().map(JobFailure::text),
        settings.calibrations(),
        Set.of(Source.CALIBRATION).containsAll(settings.sources()),
        settings.sources().stream().sorted(Comparator.comparing(Source::label)).toList());
  }

  private static DifferenceEntry difference(Difference difference, Optional<Change> change) {
    return new DifferenceEntry(
        difference.kind(),
        difference.sentence(),
        difference.property(),
        difference.before(),
        difference.after(),
        difference.places().stream()
            .map(
                place ->
                    new Place(
                        place.name(),
                        place.inA().map(DiffJson::position),
                        place.inB().map(DiffJson::position)))
            .toList(),
        change);
  }

  private static Position position(SourceLocation location) {
    return new Position(location.line(), location.column());
  }

  static Change change(JobChange change) {
    return new Change(
        change.failure().map(JobFailure::text),
        change.graphs(),
        change.choices(),
        change.busbw().stream()
            .map(
                one ->
                    new BusbwEntry(
                        one.call().operation(),
                        one.call().sizeBytes(),
                        one.beforeGBps(),
                        one.afterGBps(),
                        one.isCalibrated(),
                        List.copyOf(one.sources())))
            .toList());
  }
}
