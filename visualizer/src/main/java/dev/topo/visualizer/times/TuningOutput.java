package dev.topo.visualizer.times;

import dev.topo.model.Last;
import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.kernel.CallPaths;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.kernel.CallPaths.CallPath;
import dev.topo.search.kernel.CopyEstimate;
import dev.topo.search.kernel.Execution.Kernel;
import dev.topo.search.kernel.RegisteredPart;
import dev.topo.search.transfer.TransferRow;
import dev.topo.search.transfer.TransferTable;
import dev.topo.search.tuning.ChannelShare;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.SizeRange;
import dev.topo.search.tuning.SwitchPoints;
import dev.topo.search.tuning.Tuner.Decision.Choice;
import dev.topo.search.tuning.Tuner.Decision.Refusal;
import dev.topo.search.tuning.Tuner.ThreadLimits;
import dev.topo.search.tuning.TuningModel;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * NCCL's choices for the calls of a communicator, as text, JSON ({@code model[]}, {@code threads[]}
 * and {@code choices[]}) or CSV.
 *
 * @param title what to call the machines of the communicator
 * @param calls a call of each collective at each size
 * @param peers sends and receives, by operation
 * @param sizes the sizes of both in bytes, ascending
 */
public record TuningOutput(
    String title,
    Communicator communicator,
    List<CollectiveCall> calls,
    List<PeerCall> peers,
    List<Long> sizes) {
  /**
   * The launch of a call: NCCL's choice, or the kernel or copies that replace it; all are empty if
   * NCCL refuses the call.
   */
  private record Row(
      Communicator communicator,
      CollectiveCall call,
      Optional<Choice> choice,
      Optional<Kernel> kernel,
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

    <U> Optional<U> either(Function<Choice, U> ofChoice, Function<Kernel, U> ofKernel) {
      return choice.map(ofChoice).or(() -> kernel.map(ofKernel));
    }

    Optional<Float> timeUs() {
      return either(Choice::timeUs, Kernel::timeUs).or(() -> copies.map(CopyEstimate::timeUs));
    }

    Optional<String> refusal() {
      return timeUs().isEmpty() && communicator.tuner().decide(call) instanceof Refusal refusal
          ? Optional.of(refusal.sentence())
          : Optional.empty();
    }

    int launched(Choice chosen) {
      return ChannelShare.launched(communicator.facts(), call, chosen);
    }
  }

  /** The copies that perform one variant of a call. */
  private record CopyRow(String call, String by, float timeUs) {
    CopyRow(String call, CopyEstimate.Copies copies) {
      this(call, copies.label(), copies.timeUs());
    }
  }

  /**
   * The fields of a choice; the algorithm and all that follow are null if NCCL refuses the call.
   */
  private static final Fields<Row> CHOICE =
      Fields.of(Row.class)
          .including(Row::call, PredictionOutput.CALL)
          .field("algorithm", row -> row.choice.map(Choice::algorithm))
          .field("protocol", row -> row.choice.map(Choice::protocol))
          .field("channels", row -> row.either(Choice::channels, Kernel::channels))
          .field("launchedChannels", row -> row.either(row::launched, Kernel::channels))
          .field("threads", row -> row.either(Choice::threads, Kernel::threads))
          .field("timeUs", Row::timeUs)
          .optional("refusal", Row::refusal);

  private static final Fields<CallPath> PATH =
      Fields.of(CallPath.class)
          .field("buffers", path -> path.buffers().label())
          .field("path", path -> path.kind().label())
          .field("kernel", path -> path.kernel().map(kernel -> kernel.kernel().label()))
          .field("blocks", path -> path.kernel().map(Kernel::blocks))
          .field("registered", TuningOutput::registered)
          .column("registered", path -> String.join(" ", registered(path)))
          .optional("copies", path -> path.copies().map(TuningOutput::copies));

  private static final Fields<TransferRow> TRANSFER = Fields.ofRecord(TransferRow.class);

  /** Copies the lists. */
  public TuningOutput {
    calls = List.copyOf(calls);
    peers = List.copyOf(peers);
    sizes = List.copyOf(sizes);
  }

  /** Returns the choices by ranges of sizes for each collective. */
  public static Map<Collective, List<SizeRange>> ranges(
      Communicator communicator, List<CollectiveCall> calls, List<Long> sizes) {
    SwitchPoints points = new SwitchPoints(communicator.tuner());
    Map<Collective, List<SizeRange>> ranges = new LinkedHashMap<>();
    for (CollectiveCall call : calls) {
      ranges.computeIfAbsent(
          call.collective(),
          collective -> points.ranges(call.withSize(0), sizes.get(0), Last.of(sizes)));
    }
    return ranges;
  }

  /** True if NCCL runs none of the calls. */
  public boolean isEmpty() {
    return calls.stream().allMatch(call -> communicator.tuner().decide(call).choice().isEmpty())
        && peers.stream().allMatch(call -> call.emptiness(communicator.nRanks()).isPresent());
  }

  /** Returns the choices for plain buffers. */
  public Answer choices(String format) {
    return switch (format) {
      case "json" -> json(fields -> fields.field("choices", all -> choices())).saying(sentence());
      case "csv" ->
          Csv.table(
              "collective,bytes,algorithm,protocol,channels,threads,time_us,launched_channels",
              List.of(),
              CHOICE,
              rows());
      default -> text().saying(sentence());
    };
  }

  private String sentence() {
    return TuningSentence.of(title, communicator.connection(), ranges(communicator, calls, sizes));
  }

  private Answer text() {
    return TuningText.of(title, communicator, ranges(communicator, calls, sizes));
  }

  /**
   * Returns how sends and receives are divided, after the choices for collectives.
   *
   * @param notes receives a line for each operation that sends nothing
   */
  public Answer transfers(String format, Consumer<String> notes) {
    List<TransferRow> rows = rows(notes);
    if (format.equals("json")) {
      return json(fields ->
              fields.field("choices", all -> choices()).list("transfers", all -> rows, TRANSFER))
          .saying(transferSentence(rows));
    }
    if (format.equals("csv")) {
      return Csv.table(
          "collective,bytes,peer_bytes,transport,protocol,channels,chunk_bytes,blocks,threads,kernels,rounds",
          List.of(),
          TRANSFER,
          rows.stream());
    }
    Answer text = TuningText.ofTransfers(title, communicator.connection(), rows);
    return (calls.isEmpty() ? text : Answer.join(List.of(text(), text), "\n"))
        .saying(transferSentence(rows));
  }

  /** The sentence about transfers, after the one about collectives if there are any. */
  private String transferSentence(List<TransferRow> rows) {
    String ofPeers = TuningSentence.ofTransfers(title, rows);
    return calls.isEmpty() ? ofPeers : sentence() + " " + ofPeers;
  }

  private List<TransferRow> rows(Consumer<String> notes) {
    TransferTable table = new TransferTable(communicator.connection());
    List<TransferRow> rows = new ArrayList<>();
    for (PeerCall peer : peers) {
      rows.addAll(table.rows(peer));
      peer.emptiness(communicator.nRanks())
          .ifPresent(
              why ->
                  notes.accept(
                      "note: %s of %s sends nothing: %s"
                          .formatted(
                              peer.operation().ncclTestsName(),
                              QuantityFormat.size(peer.sizeBytes()),
                              Refusal.discarded(why).sentence())));
    }
    return rows;
  }

  /** Returns the kernels and copies that run with other kinds of buffers, by kind. */
  public Answer paths(String format, List<Buffers> kinds) {
    CallPaths paths = CallPaths.of(communicator);
    List<List<CallPath>> ofKinds =
        kinds.stream()
            .map(kind -> calls.stream().map(call -> paths.of(call, kind)).toList())
            .toList();
    List<CallPath> callPaths = ofKinds.stream().flatMap(List::stream).toList();
    String sentence = TuningSentence.ofPaths(title, ofKinds);
    return switch (format) {
      case "json" ->
          json(fields -> fields.list("choices", all -> callPaths, pathChoices())).saying(sentence);
      case "csv" ->
          Csv.table(
              "collective,bytes,algorithm,protocol,channels,threads,time_us,buffers,path,kernel,blocks,registered,launched_channels",
              List.of(),
              pathChoices(),
              callPaths.stream());
      default -> CallPathText.of(title, communicator, ofKinds).saying(sentence);
    };
  }

  /** The JSON document: the model, the thread limits, and the fields for the calls. */
  private Answer json(UnaryOperator<Fields<TuningOutput>> calls) {
    return Json.document(
        "tune",
        calls.apply(
            Fields.of(TuningOutput.class)
                .field("job", all -> JobSummary.of(title, communicator.connection()))
                .field("model", TuningOutput::model)
                .field("threads", TuningOutput::threads)),
        this);
  }

  private List<Object> choices() {
    return CHOICE.json(rows().toList());
  }

  private Stream<Row> rows() {
    return calls.stream().map(call -> Row.of(communicator, call));
  }

  private Fields<CallPath> pathChoices() {
    return Fields.of(CallPath.class)
        .including(path -> Row.of(communicator, path), CHOICE)
        .including(path -> path, PATH);
  }

  private static List<CopyRow> copies(CopyEstimate estimate) {
    return List.of(
        new CopyRow("out of place", estimate.outOfPlace()),
        new CopyRow("in place", estimate.inPlace()),
        new CopyRow("CUDA graph", estimate.inGraph()));
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

  private List<Object> threads() {
    ThreadLimits limits = communicator.tuner().threadLimits();
    return Fields.of(Pair.class)
        .components("algorithm", "protocol")
        .field("maxThreads", pair -> limits.maxThreads(pair.algorithm(), pair.protocol()))
        .field("thresholdBytes", pair -> limits.thresholdBytes(pair.algorithm(), pair.protocol()))
        .json(pairs());
  }

  private List<Object> model() {
    TuningModel model = communicator.tuner().model();
    return Arrays.stream(Collective.values())
        .flatMap(collective -> model(model, collective).json(pairs()).stream())
        .toList();
  }

  private static Fields<Pair> model(TuningModel model, Collective collective) {
    return Fields.of(Pair.class)
        .field("collective", pair -> collective)
        .components("algorithm", "protocol")
        .field(
            "bandwidthGBps",
            pair -> model.bandwidthGBps(collective, pair.algorithm(), pair.protocol()))
        .field("latencyUs", pair -> model.latencyUs(collective, pair.algorithm(), pair.protocol()));
  }
}
