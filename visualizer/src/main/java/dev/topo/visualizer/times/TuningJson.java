package dev.topo.visualizer.times;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.CollectiveCall;
import dev.topo.model.operation.Protocol;
import dev.topo.search.kernel.CallPath;
import dev.topo.search.kernel.Execution;
import dev.topo.search.kernel.RegisteredPart;
import dev.topo.search.transfer.TransferRow;
import dev.topo.search.tuning.ChannelShare;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Decision;
import dev.topo.search.tuning.ThreadLimits;
import dev.topo.search.tuning.TuningModel;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tuning as data: {@code model[]}, {@code threads[]} and {@code choices[]}, or the choices as a
 * table.
 */
public final class TuningJson {
  private record Tune(
      JobSummary job, List<ModelEntry> model, List<ThreadsEntry> threads, List<?> choices) {}

  private record TuneWithTransfers(@JsonUnwrapped Tune tune, List<TransferRow> transfers) {}

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
      Optional<Integer> launchedChannels,
      Optional<Integer> threads,
      Optional<Float> timeUs) {}

  /** A choice with the path of the call; {@code algorithm} is absent where none runs it. */
  private record PathChoice(
      Collective collective,
      long bytes,
      Optional<Algorithm> algorithm,
      Optional<Protocol> protocol,
      Optional<Integer> channels,
      Optional<Integer> launchedChannels,
      Optional<Integer> threads,
      Optional<Float> timeUs,
      String buffers,
      String path,
      Optional<String> kernel,
      Optional<Integer> blocks,
      List<String> registered) {}

  private TuningJson() {}

  /** The model of a communicator, its limits of threads, and its choices for some calls. */
  public static Answer json(String title, Communicator communicator, List<CollectiveCall> calls) {
    return document(
        title, communicator, calls.stream().map(call -> choice(communicator, call)).toList());
  }

  /** The same with the paths of calls in place of the choices. */
  public static Answer jsonOfPaths(String title, Communicator communicator, List<CallPath> paths) {
    return document(
        title, communicator, paths.stream().map(path -> choice(communicator, path)).toList());
  }

  /** The same with rows of sends and receives after the choices. */
  public static Answer jsonWithTransfers(
      String title,
      Communicator communicator,
      List<CollectiveCall> calls,
      List<TransferRow> transfers) {
    List<?> choices = calls.stream().map(call -> choice(communicator, call)).toList();
    return Json.document(
        "tune", new TuneWithTransfers(tune(title, communicator, choices), transfers));
  }

  /** Rows of sends and receives as a table. */
  public static Answer csvOfTransfers(List<TransferRow> rows) {
    return Csv.table(
        "collective,bytes,peer_bytes,transport,protocol,channels,chunk_bytes,blocks,threads,kernels,rounds",
        rows.stream()
            .map(
                row ->
                    List.of(
                        row.collective(),
                        row.bytes(),
                        row.peerBytes(),
                        row.transport(),
                        row.protocol(),
                        row.channels(),
                        row.chunkBytes(),
                        row.blocks(),
                        row.threads(),
                        row.kernels(),
                        row.rounds())));
  }

  private static Answer document(String title, Communicator communicator, List<?> choices) {
    return Json.document("tune", tune(title, communicator, choices));
  }

  private static Tune tune(String title, Communicator communicator, List<?> choices) {
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
    return new Tune(JobSummary.of(title, communicator.connection()), entries, threads, choices);
  }

  private static PathChoice choice(Communicator communicator, CallPath path) {
    Optional<Decision.Choice> choice = path.choice();
    Optional<Execution.Kernel> kernel = path.kernel();
    return new PathChoice(
        path.call().collective(),
        path.call().sizeBytes(),
        choice.map(Decision.Choice::algorithm),
        choice.map(Decision.Choice::protocol),
        choice.map(Decision.Choice::channels).or(() -> kernel.map(Execution.Kernel::channels)),
        choice
            .map(one -> ChannelShare.launched(communicator.facts(), path.call(), one))
            .or(() -> kernel.map(Execution.Kernel::channels)),
        choice.map(Decision.Choice::threads).or(() -> kernel.map(Execution.Kernel::threads)),
        choice.map(Decision.Choice::timeUs).or(() -> kernel.map(Execution.Kernel::timeUs)),
        path.buffers().label(),
        path.kind().label(),
        kernel.map(one -> one.kernel().label()),
        kernel.map(Execution.Kernel::blocks),
        path.parts().stream().map(RegisteredPart::label).toList());
  }

  private static Choice choice(Communicator communicator, CollectiveCall call) {
    Optional<Decision.Choice> choice = communicator.tuner().decide(call).choice();
    return new Choice(
        call.collective(),
        call.sizeBytes(),
        choice.map(Decision.Choice::algorithm),
        choice.map(Decision.Choice::protocol),
        choice.map(Decision.Choice::channels),
        choice.map(one -> ChannelShare.launched(communicator.facts(), call, one)),
        choice.map(Decision.Choice::threads),
        choice.map(Decision.Choice::timeUs));
  }

  /** The choices as a table with a line of names first; empty cells where NCCL refuses the call. */
  public static Answer csv(Communicator communicator, List<CollectiveCall> calls) {
    return Csv.table(
        "collective,bytes,algorithm,protocol,channels,threads,time_us,launched_channels",
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
                        choice.timeUs,
                        choice.launchedChannels)));
  }

  /** The paths of calls as a table: the columns of the choices, then those of the path. */
  public static Answer csvOfPaths(Communicator communicator, List<CallPath> paths) {
    return Csv.table(
        "collective,bytes,algorithm,protocol,channels,threads,time_us,buffers,path,kernel,blocks,registered,launched_channels",
        paths.stream()
            .map(path -> choice(communicator, path))
            .map(
                choice ->
                    List.of(
                        choice.collective,
                        choice.bytes,
                        choice.algorithm,
                        choice.protocol,
                        choice.channels,
                        choice.threads,
                        choice.timeUs,
                        choice.buffers,
                        choice.path,
                        choice.kernel,
                        choice.blocks,
                        String.join(" ", choice.registered),
                        choice.launchedChannels)));
  }
}
