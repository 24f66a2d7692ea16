package dev.topo.output.timing;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.output.Answer;
import dev.topo.output.Csv;
import dev.topo.output.JobSummary;
import dev.topo.output.Json;
import dev.topo.search.communicator.Communicator;
import dev.topo.search.cost.CollectiveCall;
import dev.topo.search.cost.TuningModel;
import dev.topo.search.launch.Decision;
import dev.topo.search.launch.ThreadLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tuning as data: {@code model[]}, {@code threads[]} and {@code choices[]}, or the choices as a
 * table.
 */
public final class TuningJson {
  private record Tune(
      JobSummary job, List<ModelEntry> model, List<ThreadsEntry> threads, List<Choice> choices) {}

  private record ModelEntry(
      Collective collective,
      Algorithm algorithm,
      Protocol protocol,
      float bandwidthGBps,
      float latencyUs) {}

  private record ThreadsEntry(
      Algorithm algorithm, Protocol protocol, int maxThreads, long thresholdBytes) {}

  /** Algorithm and all that follow are absent where NCCL refuses the call. */
  private record Choice(
      Collective collective,
      long bytes,
      Optional<Algorithm> algorithm,
      Optional<Protocol> protocol,
      Optional<Integer> channels,
      Optional<Integer> threads,
      Optional<Float> timeUs) {}

  private TuningJson() {}

  /** The model of a communicator, its limits of threads, and its choices for some calls. */
  public static Answer json(String title, Communicator communicator, List<CollectiveCall> calls) {
    TuningModel model = communicator.tuner().model();
    ThreadLimits limits = communicator.tuner().threadLimits();
    List<ModelEntry> entries = new ArrayList<>();
    List<ThreadsEntry> threads = new ArrayList<>();
    for (Algorithm algorithm : Algorithm.values()) {
      for (Protocol protocol : Protocol.values()) {
        threads.add(
            new ThreadsEntry(
                algorithm,
                protocol,
                limits.maxThreads(algorithm, protocol),
                limits.thresholdBytes(algorithm, protocol)));
      }
    }
    for (Collective collective : Collective.values()) {
      for (ThreadsEntry pair : threads) {
        entries.add(
            new ModelEntry(
                collective,
                pair.algorithm,
                pair.protocol,
                model.bandwidthGBps(collective, pair.algorithm, pair.protocol),
                model.latencyUs(collective, pair.algorithm, pair.protocol)));
      }
    }
    return Json.document(
        "tune",
        new Tune(
            JobSummary.of(title, communicator.connection()),
            entries,
            threads,
            calls.stream().map(call -> choice(communicator, call)).toList()));
  }

  private static Choice choice(Communicator communicator, CollectiveCall call) {
    Optional<Decision.Choice> choice = communicator.tuner().decide(call).choice();
    return new Choice(
        call.collective(),
        call.sizeBytes(),
        choice.map(Decision.Choice::algorithm),
        choice.map(Decision.Choice::protocol),
        choice.map(Decision.Choice::channels),
        choice.map(Decision.Choice::threads),
        choice.map(Decision.Choice::timeUs));
  }

  /** The choices as a table with a line of names first; empty cells where NCCL refuses the call. */
  public static Answer csv(Communicator communicator, List<CollectiveCall> calls) {
    return Csv.table(
        "collective,bytes,algorithm,protocol,channels,threads,time_us",
        calls.stream()
            .map(call -> choice(communicator, call))
            .map(
                choice ->
                    List.of(
                        choice.collective,
                        choice.bytes,
                        choice.algorithm,
                        choice.protocol,
                        choice.channels,
                        choice.threads,
                        choice.timeUs)));
  }
}
