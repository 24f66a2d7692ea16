package dev.topo.visualizer.times;

import dev.topo.model.DeviceName;
import dev.topo.model.Labels;
import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Protocol;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.simulator.evaluate.ChannelRoutes.BusyLink;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.HashRange;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.NetworkPredictor.NetworkPart;
import dev.topo.simulator.evaluate.PredictedCall;
import dev.topo.simulator.evaluate.PredictedCall.ChoiceComparison;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.visualizer.view.Columns;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.RangedNumber;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * A prediction as a table row and a JSON entry.
 *
 * @param forecast the forecast that contains the prediction
 * @param call for collectives, the call with its other predictions; empty otherwise
 */
public record PredictionRow(
    CommunicatorPredictions forecast, Prediction prediction, Optional<PredictedCall> call) {

  /**
   * Rank of the column with the range of the time. A narrow text omits it, because it follows from
   * the range of busbw.
   */
  static final int TIME_RANGE = 1;

  /** All columns and fields of a prediction. */
  public static final Columns<PredictionRow> COLUMNS =
      Columns.of(PredictionRow.class)
          .column("operation", row -> row.prediction.operation().label())
          .field("collective", row -> row.prediction.operation())
          .column("size", PredictionRow::size)
          .field("bytes", row -> row.prediction.sizeBytes())
          .column("nodes", row -> row.forecast.nNodes())
          .cell("nodes", row -> row.forecast.nNodes())
          .column("hosts", row -> row.forecast.nHosts())
          .cell("hosts", row -> row.forecast.nHosts())
          .column("ranks", row -> row.forecast.nRanks())
          .column("by", row -> row.prediction.launchName())
          .field("algorithm", PredictionRow::algorithm)
          .cell("algorithm", PredictionRow::algorithmOrKernel)
          .field("protocol", PredictionRow::protocol)
          .field("kernel", row -> row.prediction.kernel().map(SymmetricKernel::label))
          .column("channels", PredictionRow::channels)
          .field("channels", row -> row.prediction.mostChannels())
          .field("launchedChannels", row -> row.prediction.channels())
          .column("time", row -> row.time(RangedNumber::number))
          .field("timeUs", row -> row.prediction.timeUs())
          .column("range", row -> row.time(RangedNumber::range))
          .rank(TIME_RANGE)
          .hint("contains 90 of 100 measurements of the validation data")
          .field("timeLowUs", row -> row.prediction.shortestUs())
          .field("timeHighUs", row -> row.prediction.longestUs())
          .column("algbw", row -> QuantityFormat.bandwidth(row.prediction.algbwGBps()))
          .rank(Columns.VERBOSE)
          .hint("GB/s")
          .field("algbwGBps", row -> row.prediction.algbwGBps())
          .column("busbw", row -> BusbwWords.range(row.prediction).number())
          .unit("GB/s")
          .field("busbwGBps", row -> row.prediction.busbwGBps())
          .column("range", row -> BusbwWords.range(row.prediction).range())
          .hint("of busbw in GB/s")
          .order(row -> row.prediction.busbwGBps())
          .column(LimitWords.TITLE, PredictionRow::limit)
          .field("bottleneck", row -> Labels.of(row.prediction.estimate().bottleneck()))
          .field("limitedBy", PredictionRow::limit)
          .column("by hashes", PredictionRow::hashedTimes)
          .rank(Columns.VERBOSE)
          .hint("the time with the best and the worst hashing of flows onto links")
          .field("hashLowUs", row -> row.hashedUs(HashRange::low))
          .field("hashHighUs", row -> row.hashedUs(HashRange::high))
          .column("NCCL's model", row -> timeOrEmpty(row.ncclUs()))
          .rank(Columns.VERBOSE)
          .hint("the time by NCCL's own model where no run between nodes is known")
          .field("ncclTimeUs", PredictionRow::ncclUs)
          .column("tuner", row -> timeOrEmpty(row.tunerUs()))
          .rank(Columns.VERBOSE)
          .hint("the time by which NCCL's tuner ranks this pair, without launches")
          .column("source", PredictionRow::source)
          .rank(Columns.VERBOSE)
          .hint("what the time rests on; * not calibrated")
          .field("calibrated", row -> row.prediction.isCalibrated())
          .field("source", row -> row.prediction.source())
          .column("faster", PredictionRow::faster)
          .column("", row -> row.isOneOfSeveral() && row.isChosen() ? "NCCL's choice" : "")
          .field("chosen", PredictionRow::isChosen)
          .column("others", PredictionRow::notComparable)
          .rank(Columns.VERBOSE)
          .hint("whether other pairs are faster is not known: their times rest on another source")
          .cell("caveats", row -> String.join(Csv.BETWEEN, row.forecast.caveats()))
          .header(
              "nodes,collective,algorithm,protocol,channels,bytes,time_us,time_low_us,time_high_us,"
                  + "algbw_gbps,busbw_gbps,chosen,launched_channels,hosts,calibrated,source,caveats");

  /** Returns the requested predictions of a forecast. */
  public static List<PredictionRow> of(CommunicatorPredictions forecast) {
    return Stream.concat(
            forecast.calls().stream().flatMap(call -> of(forecast, call).stream()),
            forecast.peers().stream().map(peer -> of(forecast, peer)))
        .toList();
  }

  /** Returns the requested predictions of a call. */
  static List<PredictionRow> of(CommunicatorPredictions forecast, PredictedCall call) {
    return call.shown().stream()
        .map(shown -> new PredictionRow(forecast, shown, Optional.of(call)))
        .toList();
  }

  /** Returns the row of a prediction of a job, without the alternatives of its call. */
  public static PredictionRow of(JobResult result, Prediction prediction) {
    return of(new CommunicatorPredictions("", result, List.of(), List.of()), prediction);
  }

  /** Returns the row of a prediction without the alternatives of its call. */
  public static PredictionRow of(CommunicatorPredictions forecast, Prediction prediction) {
    return new PredictionRow(forecast, prediction, Optional.empty());
  }

  /**
   * True if NCCL chooses this prediction; always true for sends and receives, which offer no
   * choice.
   */
  private boolean isChosen() {
    return call.map(call -> call.isChosen((CollectivePrediction) prediction)).orElse(true);
  }

  private Optional<Algorithm> algorithm() {
    return prediction.tunedAlgorithm().filter(algorithm -> prediction.kernel().isEmpty());
  }

  /** The algorithm as a CSV cell; the name of the symmetric kernel if one replaces the pair. */
  private Optional<?> algorithmOrKernel() {
    return prediction.kernel().isPresent() ? Optional.of(prediction.launchName()) : algorithm();
  }

  private Optional<Protocol> protocol() {
    return Optional.of(prediction.protocol()).filter(protocol -> prediction.kernel().isEmpty());
  }

  private Optional<Double> hashedUs(ToDoubleFunction<HashRange> factor) {
    return prediction.hashes().map(range -> factor.applyAsDouble(range) * prediction.timeUs());
  }

  private OptionalDouble ncclUs() {
    return prediction instanceof CollectivePrediction collective
        ? forecast.predictor().ncclUs(collective)
        : OptionalDouble.empty();
  }

  /** The time by which NCCL's tuner ranks the pair; empty if a kernel replaces the pair. */
  private OptionalDouble tunerUs() {
    return prediction instanceof CollectivePrediction collective && collective.kernel().isEmpty()
        ? forecast
            .predictor()
            .planner()
            .choice(collective.call(), Optional.of(collective.pair()))
            .map(choice -> OptionalDouble.of(choice.timeUs()))
            .orElse(OptionalDouble.empty())
        : OptionalDouble.empty();
  }

  private static String timeOrEmpty(OptionalDouble us) {
    return us.isPresent() ? QuantityFormat.time(us.getAsDouble()) : "";
  }

  private String hashedTimes() {
    return prediction
        .hashes()
        .map(
            range ->
                QuantityFormat.times(
                    range.low() * prediction.timeUs(), range.high() * prediction.timeUs()))
        .orElse("");
  }

  String source() {
    return prediction.source().label() + (prediction.isCalibrated() ? "" : " *");
  }

  /** Returns the time of a prediction in microseconds, with its range if known. */
  public static RangedNumber timeUs(Prediction prediction) {
    return new RangedNumber(prediction.timeUs(), prediction.shortestUs(), prediction.longestUs());
  }

  /** One representation of the time with its unit, us or ms; without a unit if it is not known. */
  String time(Function<RangedNumber, String> representation) {
    return timeUs(prediction).time(representation);
  }

  /** The size of the call with its unit. */
  String size() {
    return QuantityFormat.size(prediction.sizeBytes());
  }

  /** The launched channels and the maximum the call may use. */
  String channels() {
    return QuantityFormat.ofMost(prediction.channels(), prediction.mostChannels());
  }

  /** True if several pairs are requested for some call of the same operation. */
  private boolean isOneOfSeveral() {
    return forecast.calls().stream()
        .filter(other -> other.call().operation() == prediction.operation())
        .anyMatch(other -> other.shown().size() > 1);
  }

  /** The pair that would be faster than NCCL's choice, if one is known. */
  private String faster() {
    return call.filter(call -> !isOneOfSeveral() && call.comparison().better().isPresent())
        .map(call -> faster(call.comparison()))
        .orElse("");
  }

  /** The pairs that cannot be compared with NCCL's choice, if no faster pair is known. */
  private String notComparable() {
    return call.filter(call -> !isOneOfSeveral() && call.comparison().better().isEmpty())
        .map(call -> faster(call.comparison()))
        .orElse("");
  }

  /**
   * Returns the pair that would be faster than NCCL's choice, and whether others cannot be compared
   * with it.
   */
  public static String faster(ChoiceComparison comparison) {
    List<String> parts = new ArrayList<>();
    comparison.better().map(PredictionRow::timed).ifPresent(parts::add);
    if (comparison.chosen().isPresent() && !comparison.isComparable()) {
      parts.add(
          comparison.notComparable().stream()
              .findFirst()
              .map(other -> "not comparable: " + timed(other))
              .orElse("not comparable"));
    }
    return String.join("; ", parts);
  }

  private static String timed(CollectivePrediction prediction) {
    return prediction.algorithm().label()
        + "/"
        + prediction.protocol().label()
        + ", "
        + QuantityFormat.time(prediction.timeUs());
  }

  /** Returns what limits the time: a link, a part of the network, or a word for the bottleneck. */
  public String limit() {
    return fullLink()
        .map(this::name)
        .or(() -> network().map(NetworkPart::label))
        .orElse(prediction.estimate().bottleneck().word());
  }

  /** The link inside a node that limits the call, if known. */
  public Optional<BusyLink> fullLink() {
    return prediction instanceof CollectivePrediction collective
        ? forecast.predictor().fullLink(collective)
        : ((PeerPrediction) prediction).fullLink();
  }

  /** The part of the network that limits the call between nodes, if known. */
  public Optional<NetworkPart> network() {
    return prediction instanceof CollectivePrediction collective
        ? forecast.predictor().fullPort(collective)
        : ((PeerPrediction) prediction).network();
  }

  private String name(BusyLink link) {
    return new DeviceName(forecast.actual()).of(link.type(), link.from(), link.to());
  }

  public static String call(Call call) {
    return call.operation().label() + " " + QuantityFormat.size(call.sizeBytes());
  }
}
