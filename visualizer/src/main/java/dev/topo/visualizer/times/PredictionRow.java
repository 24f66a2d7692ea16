package dev.topo.visualizer.times;

import dev.topo.model.DeviceName;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.simulator.evaluate.ChannelRoutes.BusyLink;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.HashRange;
import dev.topo.simulator.evaluate.NetworkPredictor.NetworkPart;
import dev.topo.simulator.evaluate.PredictedCall;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.RangedNumber;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * A prediction as a row of tables and an entry of JSON.
 *
 * @param forecast what it is a part of
 * @param call the call of a collective with its other predictions; empty for others
 */
record PredictionRow(Forecast forecast, Prediction prediction, Optional<PredictedCall> call) {
  /** The table of a collective for people. */
  static final String COLUMNS = "size,by,channels,time,range,algbw,busbw,limited by";

  /** The table of a call by number of nodes or hosts, behind that number. */
  static final String SCALING_COLUMNS =
      "ranks,by,channels,time,range,algbw,busbw,range of busbw,limited by";

  private static final int US_PER_MS = 1000;

  static final String CSV_COLUMNS =
      "nodes,collective,algorithm,protocol,channels,bytes,time_us,time_low_us,time_high_us,"
          + "algbw_gbps,busbw_gbps,chosen,launched_channels,hosts";

  /** A symmetric kernel replaces the pair; a table has it in the place of the algorithm. */
  static final Fields<PredictionRow> DATA =
      Fields.of(PredictionRow.class)
          .field("collective", row -> row.prediction.call().operation())
          .field("bytes", row -> row.prediction.call().sizeBytes())
          .field("algorithm", PredictionRow::algorithm)
          .field("protocol", PredictionRow::protocol)
          .field("kernel", row -> row.prediction.kernel().map(SymmetricKernel::label))
          .field("channels", row -> row.prediction.mostChannels())
          .field("launchedChannels", row -> row.prediction.channels())
          .field("timeUs", row -> row.prediction.timeUs())
          .field("timeLowUs", row -> row.prediction.shortestUs())
          .field("timeHighUs", row -> row.prediction.longestUs())
          .field("algbwGBps", row -> row.prediction.algbwGBps())
          .field("busbwGBps", row -> row.prediction.busbwGBps())
          .field(
              "bottleneck",
              row -> row.prediction.estimate().bottleneck().name().toLowerCase(Locale.ROOT))
          .field("limitedBy", PredictionRow::limit)
          .field("hashLowUs", row -> row.hashedUs(HashRange::low))
          .field("hashHighUs", row -> row.hashedUs(HashRange::high))
          .field("ncclTimeUs", PredictionRow::ncclUs)
          .field("calibrated", row -> row.prediction.isCalibrated())
          .field("source", row -> row.prediction.source())
          .field("chosen", PredictionRow::isChosen)
          .column("nodes", row -> row.forecast.nNodes())
          .column("hosts", row -> row.forecast.nHosts())
          .column(
              "algorithm",
              row ->
                  row.prediction.kernel().isPresent()
                      ? row.prediction.launchName()
                      : row.algorithm());

  /** Columns for people. */
  static final Fields<PredictionRow> SHOWN =
      Fields.of(PredictionRow.class)
          .column("nodes", row -> row.forecast.nNodes())
          .column("hosts", row -> row.forecast.nHosts())
          .column("ranks", row -> row.forecast.nRanks())
          .column("size", PredictionRow::size)
          .column("by", PredictionRow::launchName)
          .column("channels", PredictionRow::channels)
          .column("time", row -> QuantityFormat.time(row.prediction.timeUs()))
          .column("range", row -> row.prediction.range())
          .column("algbw", row -> QuantityFormat.bandwidth(row.prediction.algbwGBps()))
          .column("busbw", row -> QuantityFormat.bandwidth(row.prediction.busbwGBps()) + " GB/s")
          .column("range of busbw", PredictionRow::busbwRange)
          .column("limited by", PredictionRow::limitBesideNccl)
          .column(
              "faster",
              row -> row.call.map(call -> ChoiceWords.faster(call.comparison())).orElse(""))
          .column("", row -> row.isChosen() ? "NCCL's choice" : "");

  /** The requested predictions of a forecast. */
  static List<PredictionRow> of(Forecast forecast) {
    return Stream.concat(
            forecast.calls().stream().flatMap(call -> of(forecast, call).stream()),
            forecast.peers().stream().map(peer -> of(forecast, peer)))
        .toList();
  }

  /** The requested predictions of a call. */
  static List<PredictionRow> of(Forecast forecast, PredictedCall call) {
    return call.shown().stream()
        .map(shown -> new PredictionRow(forecast, shown, Optional.of(call)))
        .toList();
  }

  /** A prediction by itself. */
  static PredictionRow of(Forecast forecast, Prediction prediction) {
    return new PredictionRow(forecast, prediction, Optional.empty());
  }

  /** Sends and receives have no choice. */
  private boolean isChosen() {
    return call.map(call -> call.isChosen((CollectivePrediction) prediction)).orElse(true);
  }

  private Optional<Algorithm> algorithm() {
    return prediction.tunedAlgorithm().filter(algorithm -> prediction.kernel().isEmpty());
  }

  private Optional<Protocol> protocol() {
    return Optional.of(prediction.protocol()).filter(protocol -> prediction.kernel().isEmpty());
  }

  private Optional<Double> hashedUs(ToDoubleFunction<HashRange> factor) {
    return prediction.hashes().map(range -> factor.applyAsDouble(range) * prediction.timeUs());
  }

  /** The busbw at both ends of the range of the time, in GB/s. */
  private String busbwRange() {
    return prediction.spread().isEmpty()
        ? "not known"
        : busbw(prediction.longestUs()) + " to " + busbw(prediction.shortestUs());
  }

  private String busbw(OptionalDouble us) {
    return QuantityFormat.bandwidth(
        prediction.busbwGBps() * prediction.timeUs() / us.getAsDouble());
  }

  private OptionalDouble ncclUs() {
    return prediction instanceof CollectivePrediction collective
        ? forecast.predictor().ncclUs(collective)
        : OptionalDouble.empty();
  }

  /** The time of a prediction in microseconds, with its range where one is known. */
  static RangedNumber timeUs(Prediction prediction) {
    OptionalDouble longest = prediction.longestUs();
    double us = prediction.timeUs();
    return longest.isEmpty()
        ? RangedNumber.withoutRange(us)
        : RangedNumber.of(us, prediction.shortestUs().orElseThrow(), longest.getAsDouble());
  }

  /** A part of a time with its unit, us or ms; without a unit where it is not known. */
  static String time(Prediction prediction, Function<RangedNumber, String> part) {
    RangedNumber us = timeUs(prediction);
    boolean isLong = prediction.timeUs() >= US_PER_MS;
    String text = part.apply(isLong ? us.times(1.0 / US_PER_MS) : us);
    return us.low().isEmpty() && text.startsWith("not") ? text : text + (isLong ? " ms" : " us");
  }

  /** The size of its call. */
  String size() {
    return QuantityFormat.size(prediction.call().sizeBytes());
  }

  /** The channels that it runs on, of those that it may. */
  String channels() {
    return QuantityFormat.ofMost(prediction.channels(), prediction.mostChannels());
  }

  /**
   * The pair that would be faster than NCCL's choice, where that is known.
   *
   * @param isEach whether the row is one of several pairs: then which NCCL chooses
   */
  String remark(boolean isEach) {
    if (isEach) {
      return isChosen() && call.isPresent() ? "NCCL's choice" : "";
    }
    return call.filter(call -> call.comparison().better().isPresent())
        .map(call -> ChoiceWords.faster(call.comparison()))
        .orElse("");
  }

  /** Name of what NCCL runs, marked with a star where a collective is not calibrated. */
  String launchName() {
    boolean isMarked = prediction instanceof CollectivePrediction && !prediction.isCalibrated();
    return prediction.launchName() + (isMarked ? "*" : "");
  }

  /** The limit of the time: a link, or a word. */
  String limit() {
    return fullLink()
        .map(this::name)
        .or(() -> network().map(NetworkPart::label))
        .orElse(prediction.estimate().bottleneck().word());
  }

  /** The link in a node that the call waits for, where one is known. */
  Optional<BusyLink> fullLink() {
    return prediction instanceof CollectivePrediction collective
        ? forecast.predictor().fullLink(collective)
        : ((PeerPrediction) prediction).fullLink();
  }

  /** The part of the network that the call waits for between nodes, where that is known. */
  Optional<NetworkPart> network() {
    return prediction instanceof CollectivePrediction collective
        ? forecast.predictor().fullPort(collective)
        : ((PeerPrediction) prediction).network();
  }

  private String name(BusyLink link) {
    Topology machine = forecast.actual();
    return new DeviceName(machine)
        .of(link.type(), machine.node(link.from()), machine.node(link.to()));
  }

  /** The limit, with the time of NCCL's own model where no measurement is known. */
  private String limitBesideNccl() {
    OptionalDouble ncclUs = ncclUs();
    return limit()
        + (ncclUs.isPresent() ? "; NCCL's model " + QuantityFormat.time(ncclUs.getAsDouble()) : "");
  }
}
