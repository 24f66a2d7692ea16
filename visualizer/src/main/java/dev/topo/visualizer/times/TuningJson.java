package dev.topo.visualizer.times;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.kernel.CallPaths.CallPath;
import dev.topo.search.kernel.CopyEstimate;
import dev.topo.search.kernel.Execution;
import dev.topo.search.kernel.RegisteredPart;
import dev.topo.search.transfer.TransferRow;
import dev.topo.search.tuning.ChannelShare;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Tuner.Decision;
import dev.topo.search.tuning.Tuner.ThreadLimits;
import dev.topo.search.tuning.TuningModel;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Tuning as data: {@code model[]}, {@code threads[]} and {@code choices[]}, or the choices as a
 * table.
 */
public final class TuningJson {
  /**
   * The launch of a call: NCCL's choice, or with the path of the call also what replaces that; none
   * of them where NCCL refuses the call.
   */
  private record Row(
      Communicator communicator,
      CollectiveCall call,
      Optional<Decision.Choice> choice,
      Optional<Execution.Kernel> kernel,
      Optional<CopyEstimate> copies) {
    static Row of(Communicator communicator, CollectiveCall call) {
      return new Row(
          communicator,
          call,
          communicator.tuner().decide(call).choice(),
          Optional.empty(),
          Optional.empty());
    }

    static Row of(Communicator communicator, CallPath path) {
      return new Row(communicator, path.call(), path.choice(), path.kernel(), path.copies());
    }

    <U> Optional<U> either(
        Function<Decision.Choice, U> ofChoice, Function<Execution.Kernel, U> ofKernel) {
      return choice.map(ofChoice).or(() -> kernel.map(ofKernel));
    }

    Optional<Float> timeUs() {
      return either(Decision.Choice::timeUs, Execution.Kernel::timeUs)
          .or(() -> copies.map(CopyEstimate::timeUs));
    }

    int launched(Decision.Choice chosen) {
      return ChannelShare.launched(communicator.facts(), call, chosen);
    }
  }

  /** The copies of a call of some kind. */
  private record CopyRow(String call, CopyEstimate.Copies copies) {}

  private static final Fields<CopyRow> COPIES =
      Fields.of(CopyRow.class)
          .field("call", CopyRow::call)
          .field("by", row -> row.copies.label())
          .field("timeUs", row -> row.copies.timeUs());

  /** Algorithm and all that follow are null where NCCL refuses the call. */
  private static final Fields<Row> CHOICE =
      Fields.of(Row.class)
          .field("collective", row -> row.call.collective())
          .field("bytes", row -> row.call.sizeBytes())
          .field("algorithm", row -> row.choice.map(Decision.Choice::algorithm))
          .field("protocol", row -> row.choice.map(Decision.Choice::protocol))
          .field(
              "channels", row -> row.either(Decision.Choice::channels, Execution.Kernel::channels))
          .field("launchedChannels", row -> row.either(row::launched, Execution.Kernel::channels))
          .field("threads", row -> row.either(Decision.Choice::threads, Execution.Kernel::threads))
          .field("timeUs", Row::timeUs);

  private static final Fields<CallPath> PATH =
      Fields.of(CallPath.class)
          .field("buffers", path -> path.buffers().label())
          .field("path", path -> path.kind().label())
          .field("kernel", path -> path.kernel().map(kernel -> kernel.kernel().label()))
          .field("blocks", path -> path.kernel().map(Execution.Kernel::blocks))
          .field("registered", TuningJson::registered)
          .column("registered", path -> String.join(" ", registered(path)))
          .optional("copies", path -> path.copies().map(TuningJson::copies));

  private static final Fields<TransferRow> TRANSFER =
      Fields.of(TransferRow.class)
          .field("collective", TransferRow::collective)
          .field("bytes", TransferRow::bytes)
          .field("peerBytes", TransferRow::peerBytes)
          .field("transport", TransferRow::transport)
          .field("protocol", TransferRow::protocol)
          .field("channels", TransferRow::channels)
          .field("chunkBytes", TransferRow::chunkBytes)
          .field("blocks", TransferRow::blocks)
          .field("threads", TransferRow::threads)
          .field("kernels", TransferRow::kernels)
          .field("rounds", TransferRow::rounds);

  private TuningJson() {}

  /** The model of a communicator, its limits of threads, and its choices for some calls. */
  public static Answer json(String title, Communicator communicator, List<CollectiveCall> calls) {
    return Json.document("tune", tune(title, choices(calls)), communicator);
  }

  /** JSON of a tuning with the paths of calls in place of the choices. */
  public static Answer jsonOfPaths(String title, Communicator communicator, List<CallPath> paths) {
    return Json.document("tune", tune(title, all -> pathChoices(all).json(paths)), communicator);
  }

  /** JSON of a tuning with rows of sends and receives after the choices. */
  public static Answer jsonWithTransfers(
      String title,
      Communicator communicator,
      List<CollectiveCall> calls,
      List<TransferRow> transfers) {
    return Json.document(
        "tune",
        tune(title, choices(calls)).list("transfers", all -> transfers, TRANSFER),
        communicator);
  }

  /** Rows of sends and receives as a table. */
  public static Answer csvOfTransfers(List<TransferRow> rows) {
    return Csv.table(
        "collective,bytes,peer_bytes,transport,protocol,channels,chunk_bytes,blocks,threads,kernels,rounds",
        TRANSFER,
        rows.stream());
  }

  private static Fields<Communicator> tune(
      String title, Function<Communicator, List<Object>> choices) {
    return Fields.of(Communicator.class)
        .field("job", communicator -> JobSummary.of(title, communicator.connection()))
        .field("model", TuningJson::model)
        .field("threads", TuningJson::threads)
        .field("choices", choices);
  }

  private static Function<Communicator, List<Object>> choices(List<CollectiveCall> calls) {
    return communicator ->
        CHOICE.json(calls.stream().map(call -> Row.of(communicator, call)).toList());
  }

  private static Fields<CallPath> pathChoices(Communicator communicator) {
    return Fields.of(CallPath.class)
        .including(path -> Row.of(communicator, path), CHOICE)
        .including(path -> path, PATH);
  }

  private static List<Object> copies(CopyEstimate estimate) {
    return Stream.of(
            new CopyRow("out of place", estimate.outOfPlace()),
            new CopyRow("in place", estimate.inPlace()),
            new CopyRow("CUDA graph", estimate.inGraph()))
        .map(row -> (Object) COPIES.json(row))
        .toList();
  }

  private static List<String> registered(CallPath path) {
    return path.parts().stream().map(RegisteredPart::label).toList();
  }

  private static List<Pair> pairs() {
    return Arrays.stream(Algorithm.values())
        .flatMap(
            algorithm ->
                Arrays.stream(Protocol.values()).map(protocol -> new Pair(algorithm, protocol)))
        .toList();
  }

  private static List<Object> threads(Communicator communicator) {
    ThreadLimits limits = communicator.tuner().threadLimits();
    return Fields.of(Pair.class)
        .field("algorithm", Pair::algorithm)
        .field("protocol", Pair::protocol)
        .field("maxThreads", pair -> limits.maxThreads(pair.algorithm(), pair.protocol()))
        .field("thresholdBytes", pair -> limits.thresholdBytes(pair.algorithm(), pair.protocol()))
        .json(pairs());
  }

  private static List<Object> model(Communicator communicator) {
    TuningModel model = communicator.tuner().model();
    return Arrays.stream(Collective.values())
        .flatMap(collective -> model(model, collective).json(pairs()).stream())
        .toList();
  }

  private static Fields<Pair> model(TuningModel model, Collective collective) {
    return Fields.of(Pair.class)
        .field("collective", pair -> collective)
        .field("algorithm", Pair::algorithm)
        .field("protocol", Pair::protocol)
        .field(
            "bandwidthGBps",
            pair -> model.bandwidthGBps(collective, pair.algorithm(), pair.protocol()))
        .field("latencyUs", pair -> model.latencyUs(collective, pair.algorithm(), pair.protocol()));
  }

  /** The choices as a table with a line of names first; empty cells where NCCL refuses the call. */
  public static Answer csv(Communicator communicator, List<CollectiveCall> calls) {
    return Csv.table(
        "collective,bytes,algorithm,protocol,channels,threads,time_us,launched_channels",
        CHOICE,
        calls.stream().map(call -> Row.of(communicator, call)));
  }

  /** The paths of calls as a table: the columns of the choices, then those of the path. */
  public static Answer csvOfPaths(Communicator communicator, List<CallPath> paths) {
    return Csv.table(
        "collective,bytes,algorithm,protocol,channels,threads,time_us,buffers,path,kernel,blocks,registered,launched_channels",
        pathChoices(communicator),
        paths.stream());
  }
}
