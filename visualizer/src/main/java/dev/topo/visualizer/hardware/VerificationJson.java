package dev.topo.visualizer.hardware;

import static java.util.stream.Collectors.joining;

import dev.topo.hw.run.LibraryLimits;
import dev.topo.hw.run.UsedDevice;
import dev.topo.hw.verify.MeasuredCall;
import dev.topo.hw.verify.MeasuredChoice;
import dev.topo.hw.verify.Verification;
import dev.topo.inspect.log.Fact;
import dev.topo.inspect.log.LogComparison.Count;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.Connection;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A verification as a JSON document: the machines, what agrees and what differs, and all
 * measurements. For each size, {@code measurements[]} has the collective, the algorithm and
 * protocol that ran and whether they were forced, channels, bytes, times and busbw in place and out
 * of place, the prediction, and the estimate of NCCL's tuning model; times are medians of the
 * rounds. {@code choices[]} compares NCCL's choice at each size with the fastest other algorithm
 * and protocol.
 */
public final class VerificationJson {
  private static final Fields<UsedDevice> DEVICE =
      Fields.of(UsedDevice.class).components("rank", "host", "pid", "busId", "name");

  private static final Fields<Fact> DIFFERENCE =
      Fields.of(Fact.class)
          .components("topic", "source", "where")
          .field("nccl", Fact::expected)
          .field("predicted", Fact::found);

  private static final Fields<MeasuredCall> MEASUREMENT =
      Fields.of(MeasuredCall.class)
          .components("collective", "algorithm", "protocol", "forced", "channels")
          .field("bytes", MeasuredCall::sizeBytes)
          .field("timeUs", call -> call.outOfPlace().timeUs())
          .field("busbwGBps", call -> call.outOfPlace().busbwGBps())
          .field("wrong", call -> call.outOfPlace().wrong())
          .field("timeUsInPlace", call -> call.inPlace().timeUs())
          .field("busbwGBpsInPlace", call -> call.inPlace().busbwGBps())
          .field("wrongInPlace", call -> call.inPlace().wrong())
          .field("spreadUs", MeasuredCall::spreadUs)
          .components("predictedUs")
          .field("ncclModelUs", MeasuredCall::modelUs);

  private static final Fields<MeasuredCall> RIVAL =
      Fields.of(MeasuredCall.class)
          .components("algorithm", "protocol")
          .field("timeUs", MeasuredCall::timeUs);

  private static final Fields<MeasuredChoice> CHOICE =
      Fields.of(MeasuredChoice.class)
          .field("collective", choice -> choice.chosen().collective())
          .field("bytes", choice -> choice.chosen().sizeBytes())
          .including(MeasuredChoice::chosen, RIVAL)
          .components("noiseUs")
          .field("result", MeasuredChoice::result)
          .field("faster", choice -> choice.faster().map(RIVAL::json))
          .field("lostPercent", MeasuredChoice::lostPercent);

  private static final Fields<Verification> VERIFY =
      Fields.of(Verification.class)
          .field("job", VerificationJson::job)
          .field("ncclLibrary", verified -> verified.started().library())
          .field(
              "ncclLibraryVersion",
              verified -> LibraryLimits.text(verified.started().ncclVersion()));

  private VerificationJson() {}

  /** Returns the document. */
  public static Answer of(Verification verification, NcclSettings settings) {
    return Json.document(
        "verify",
        VERIFY
            .field("settings", all -> new TreeMap<>(settings.values()))
            .list("devices", all -> all.started().devices(), DEVICE)
            .field("systems", all -> all.started().announcements().stream().distinct().toList())
            .field("agreement", VerificationJson::agreement)
            .list("differences", all -> all.comparison().differences(), DIFFERENCE)
            .field("notCompared", all -> all.comparison().notCompared())
            .field("rounds", VerificationJson::rounds)
            .list("measurements", Verification::measured, MEASUREMENT)
            .list("choices", Verification::choices, CHOICE),
        verification);
  }

  private static JobSummary job(Verification verification) {
    Connection connection = verification.communicator().connection();
    return new JobSummary(
        verification.started().devices().stream()
            .map(UsedDevice::host)
            .distinct()
            .collect(joining(", ")),
        connection.nNodes(),
        connection.nRanks());
  }

  private static List<Object> agreement(Verification verification) {
    return Fields.of(Map.Entry.class)
        .field("topic", Map.Entry::getKey)
        .field("equal", entry -> ((Count) entry.getValue()).equal())
        .field("compared", entry -> ((Count) entry.getValue()).compared())
        .json(verification.comparison().counts().entrySet());
  }

  private static int rounds(Verification verification) {
    return verification.measured().stream().mapToInt(call -> call.rounds().size()).max().orElse(0);
  }
}
