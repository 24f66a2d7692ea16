package dev.topo.visualizer.study;

import dev.topo.inspect.difference.Difference;
import dev.topo.model.MachineFormat;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.variant.DiffResult;
import dev.topo.simulator.variant.DiffResult.DiffSettings;
import dev.topo.simulator.variant.DiffResult.Tried;
import dev.topo.simulator.variant.FleetResult;
import dev.topo.simulator.variant.FleetResult.Odd;
import dev.topo.simulator.variant.FleetResult.Reference;
import dev.topo.simulator.variant.JobChange;
import dev.topo.simulator.variant.JobChange.BusbwChange;
import dev.topo.simulator.variant.JobFailure;
import dev.topo.visualizer.times.PredictionOutput;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.SplitAnswer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Differences of machines as text or JSON, for the communicators of a job by label. For two
 * machines: {@code a, b, job, differences[]} (kind, sentence, property, before, after, places[],
 * change) and {@code together}. For a fleet: {@code files, job, groups[]} (files, reference,
 * differences[], change) and {@code unreadable[]}. A change has {@code failure, graphs[],
 * choices[], busbw[]}.
 *
 * @param format {@code text} or {@code json}
 * @param isVerbose whether the text shows all changes caused by each difference
 */
public record DiffOutput(String format, boolean isVerbose) {
  private static final Fields<SourceLocation> POSITION =
      Fields.of(SourceLocation.class).components("line", "column");

  private static final Fields<Difference.Place> PLACE =
      Fields.of(Difference.Place.class)
          .components("name")
          .field("a", place -> place.inA().map(POSITION::json))
          .field("b", place -> place.inB().map(POSITION::json));

  private static final Fields<Difference> DIFFERENCE =
      Fields.of(Difference.class)
          .components("kind", "sentence", "property", "before", "after")
          .list("places", Difference::places, PLACE);

  private static final Fields<BusbwChange> BUSBW =
      Fields.of(BusbwChange.class)
          .including(BusbwChange::call, PredictionOutput.CALL)
          .field("beforeGBps", BusbwChange::beforeGBps)
          .field("afterGBps", BusbwChange::afterGBps)
          .field("calibrated", BusbwChange::isCalibrated)
          .field("sources", BusbwChange::sources);

  static final Fields<JobChange> CHANGE =
      Fields.of(JobChange.class)
          .field("failure", change -> change.failure().map(JobFailure::text))
          .components("graphs", "choices")
          .list("busbw", JobChange::busbw, BUSBW);

  private static final Fields<Tried> TRIED =
      Fields.of(Tried.class)
          .including(Tried::difference, DIFFERENCE)
          .object("change", Tried::change, CHANGE);

  /**
   * The differences of a group have no change of their own: the change belongs to the whole group.
   */
  private static final Fields<Difference> OF_GROUP =
      DIFFERENCE.field("change", difference -> Optional.empty());

  private static final Fields<Odd> GROUP =
      Fields.of(Odd.class)
          .field("reference", group -> false)
          .components("files")
          .list("differences", Odd::differences, OF_GROUP)
          .object("change", Odd::change, CHANGE);

  private static final Fields<Reference> REFERENCE =
      Fields.of(Reference.class)
          .field("reference", group -> true)
          .components("files")
          .field("differences", group -> List.of())
          .field("change", group -> Optional.empty());

  private static final Fields<DiffResult.Side> SIDE =
      Fields.of(DiffResult.Side.class)
          .components("name", "file")
          .field("summary", side -> MachineFormat.summary(side.topology()));

  private static final Fields<DiffResult> PAIR =
      Fields.of(DiffResult.class)
          .field("job", pair -> job(pair.a(), pair.settings()))
          .object("a", DiffResult::a, SIDE)
          .object("b", DiffResult::b, SIDE)
          .list("differences", DiffResult::differences, TRIED)
          .object("together", DiffResult::together, CHANGE);

  private static final Fields<FleetResult> FLEET =
      Fields.of(FleetResult.class)
          .field("job", fleet -> job(reference(fleet).machine(), reference(fleet).settings()))
          .field("files", FleetResult::nFiles)
          .field("groups", fleet -> groups(fleet))
          .components("unreadable");

  /** The differences between two machines. */
  public Answer ofPair(Map<String, DiffResult> results) {
    return of(
        results,
        result -> DiffText.of(result, isVerbose),
        result -> Json.document("diff", PAIR, result),
        DiffSentence::of);
  }

  /** The differences within a fleet. */
  public Answer ofFleet(Map<String, FleetResult> results) {
    return of(
        results,
        DiffText::of,
        result -> Json.document("diff-fleet", FLEET, result),
        DiffSentence::of);
  }

  private <T> Answer of(
      Map<String, T> results,
      Function<T, Answer> text,
      Function<T, Answer> json,
      Function<T, String> sentence) {
    Function<T, Answer> view = format.equals("text") ? text : json;
    return SplitAnswer.of(
        results, format, isVerbose, result -> view.apply(result).saying(sentence.apply(result)));
  }

  private static Reference reference(FleetResult fleet) {
    return fleet.reference().orElseThrow();
  }

  private static List<Object> groups(FleetResult fleet) {
    List<Object> groups = new ArrayList<>(List.of(REFERENCE.json(reference(fleet))));
    groups.addAll(GROUP.json(fleet.odd()));
    return groups;
  }

  /** The job on which differences are tried; without a number of ranks if NCCL gives up on it. */
  private static Object job(DiffResult.Side machine, DiffSettings settings) {
    return Fields.of(DiffSettings.class)
        .field("machines", job -> machine.name() + (job.nodes() == 1 ? "" : " x " + job.nodes()))
        .components("nodes")
        .field("ranks", DiffSettings::nRanks)
        .field("failure", job -> job.failure().map(JobFailure::text))
        .components("calibrations")
        .field("calibrated", job -> Set.of(Source.CALIBRATION).containsAll(job.sources()))
        .field(
            "sources",
            job -> job.sources().stream().sorted(Comparator.comparing(Source::label)).toList())
        .json(settings);
  }
}
