package dev.topo.visualizer.times;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.Protocol;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.evaluate.CallContext;
import dev.topo.simulator.evaluate.CollectivePrediction;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.HashRange;
import dev.topo.simulator.evaluate.PeerPrediction;
import dev.topo.simulator.evaluate.PredictedCall;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Scaling;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Predictions as data: {@code predictions[]} with everything that is known of each, {@code best[]}
 * with what is recommended for each call, {@code refused[]} with the calls that NCCL cannot run by
 * the requested pairs; or a table.
 */
public final class PredictionData {
  private record Predict(
      JobSummary job,
      @JsonUnwrapped Basis basis,
      List<Entry> predictions,
      List<Best> best,
      List<Refused> refused)
      implements Json.Caveated {
    @Override
    public Predict with(List<String> caveats) {
      return new Predict(job, basis.with(caveats), predictions, best, refused);
    }
  }

  private record Jobs(List<Predict> jobs) {}

  /**
   * What predictions rest on.
   *
   * @param ranksPerProcess ranks of a process; absent where calls are replayed from a CUDA graph
   * @param cudaGraph whether they are
   * @param buffers how the buffers of calls are known to NCCL
   * @param groupsAtOnce groups over the same GPUs whose calls run at the same time
   */
  public record Basis(
      Optional<Integer> ranksPerProcess,
      boolean cudaGraph,
      String buffers,
      int groupsAtOnce,
      CalibrationEntry calibration,
      List<String> caveats) {
    /** What a forecast rests on. */
    public static Basis of(Forecast forecast) {
      CallContext context = forecast.predictor().planner().context();
      int perProcess = context.gpusPerProcess();
      Optional<Calibration> calibration = forecast.calibration().calibration();
      return new Basis(
          Optional.of(perProcess).filter(number -> number > 0),
          perProcess == 0,
          context.buffers().label(),
          context.groups(),
          new CalibrationEntry(
              forecast.calibration().reason(),
              calibration.map(Calibration::name),
              calibration.map(Calibration::origin),
              forecast.calibration().spread(forecast.launch())),
          forecast.caveats());
    }

    /** The same with caveats before its own. */
    public Basis with(List<String> first) {
      return withAll(Stream.concat(first.stream(), caveats.stream()).toList());
    }

    /** The same with caveats after its own. */
    public Basis withAfter(List<String> last) {
      return withAll(Stream.concat(caveats.stream(), last.stream()).toList());
    }

    private Basis withAll(List<String> all) {
      return new Basis(ranksPerProcess, cudaGraph, buffers, groupsAtOnce, calibration, all);
    }
  }

  /** The calibration of predictions. */
  public record CalibrationEntry(
      String reason, Optional<String> name, Optional<String> origin, Optional<Double> spread) {}

  private record Entry(
      Operation collective,
      long bytes,
      Optional<Algorithm> algorithm,
      Optional<Protocol> protocol,
      Optional<String> kernel,
      int channels,
      int launchedChannels,
      double timeUs,
      OptionalDouble timeLowUs,
      OptionalDouble timeHighUs,
      double algbwGBps,
      double busbwGBps,
      String bottleneck,
      String limitedBy,
      OptionalDouble hashLowUs,
      OptionalDouble hashHighUs,
      OptionalDouble ncclTimeUs,
      boolean calibrated,
      Prediction.Source source,
      boolean chosen) {}

  private record Best(
      Collective collective,
      long bytes,
      Algorithm algorithm,
      Protocol protocol,
      double timeUs,
      OptionalDouble regret,
      List<NotComparable> notComparable) {}

  /** A pair whose time rests on another source than the best. */
  private record NotComparable(
      Algorithm algorithm, Protocol protocol, double timeUs, Prediction.Source source) {}

  private record Refused(Collective collective, long bytes, String reason) {}

  private PredictionData() {}

  /** The predictions as JSON. */
  public static Answer json(Forecast forecast) {
    return Json.document("predict", predict(forecast));
  }

  /** The predictions for several numbers of nodes as JSON, a job for each. */
  public static Answer json(Scaling scaling) {
    return Json.document(
        "predict-scaling",
        new Jobs(scaling.forecasts().stream().map(PredictionData::predict).toList()));
  }

  private static Predict predict(Forecast forecast) {
    List<PredictedCall> calls = forecast.calls();
    return new Predict(
        job(forecast),
        Basis.of(forecast),
        entries(forecast).toList(),
        calls.stream()
            .flatMap(call -> call.comparison().best().map(b -> best(call, b)).stream())
            .toList(),
        calls.stream()
            .filter(call -> call.shown().isEmpty())
            .map(
                call ->
                    new Refused(call.call().collective(), call.call().sizeBytes(), call.refusal()))
            .toList());
  }

  static JobSummary job(Forecast forecast) {
    return new JobSummary(forecast.title(), forecast.nNodes(), forecast.nRanks());
  }

  private static Stream<Entry> entries(Forecast forecast) {
    return Stream.concat(
        forecast.calls().stream()
            .flatMap(call -> call.shown().stream().map(shown -> entry(forecast, call, shown))),
        forecast.peers().stream().map(peer -> entry(forecast, peer)));
  }

  private static OptionalDouble hash(Optional<Double> factor, double timeUs) {
    return factor.isPresent() ? OptionalDouble.of(factor.get() * timeUs) : OptionalDouble.empty();
  }

  private static Entry entry(Forecast forecast, PeerPrediction prediction) {
    return new Entry(
        prediction.operation(),
        prediction.sizeBytes(),
        Optional.empty(),
        Optional.of(prediction.protocol()),
        Optional.empty(),
        prediction.channels(),
        prediction.channels(),
        prediction.timeUs(),
        prediction.shortestUs(),
        prediction.longestUs(),
        prediction.algbwGBps(),
        prediction.busbwGBps(),
        prediction.estimate().bottleneck().name().toLowerCase(Locale.ROOT),
        PredictionText.limit(forecast, prediction),
        hash(prediction.hashes().map(HashRange::low), prediction.timeUs()),
        hash(prediction.hashes().map(HashRange::high), prediction.timeUs()),
        OptionalDouble.empty(),
        prediction.source() == Prediction.Source.CALIBRATION,
        prediction.source(),
        true);
  }

  private static Entry entry(
      Forecast forecast, PredictedCall call, CollectivePrediction prediction) {
    boolean isPair = prediction.kernel().isEmpty();
    return new Entry(
        prediction.call().collective(),
        prediction.call().sizeBytes(),
        Optional.of(prediction.algorithm()).filter(algorithm -> isPair),
        Optional.of(prediction.protocol()).filter(protocol -> isPair),
        prediction.kernel().map(SymmetricKernel::label),
        prediction.mostChannels(),
        prediction.channels(),
        prediction.timeUs(),
        prediction.shortestUs(),
        prediction.longestUs(),
        prediction.algbwGBps(),
        prediction.busbwGBps(),
        prediction.estimate().bottleneck().name().toLowerCase(Locale.ROOT),
        PredictionText.limit(forecast, prediction),
        hash(prediction.hashes().map(HashRange::low), prediction.timeUs()),
        hash(prediction.hashes().map(HashRange::high), prediction.timeUs()),
        forecast.predictor().ncclUs(prediction),
        prediction.isCalibrated(),
        prediction.source(),
        call.isChosen(prediction));
  }

  private static Best best(PredictedCall call, CollectivePrediction best) {
    return new Best(
        best.call().collective(),
        best.call().sizeBytes(),
        best.algorithm(),
        best.protocol(),
        best.timeUs(),
        call.comparison().regret(),
        call.comparison().notComparable().stream()
            .map(p -> new NotComparable(p.algorithm(), p.protocol(), p.timeUs(), p.source()))
            .toList());
  }

  /** The predictions as a table with a line of names first. */
  public static Answer csv(Forecast forecast) {
    return csv(List.of(forecast));
  }

  /** The predictions for several numbers of nodes as one table. */
  public static Answer csv(Scaling scaling) {
    return csv(scaling.forecasts());
  }

  private static Answer csv(List<Forecast> forecasts) {
    return Csv.table(
        "nodes,collective,algorithm,protocol,channels,bytes,time_us,time_low_us,time_high_us,"
            + "algbw_gbps,busbw_gbps,chosen,launched_channels",
        forecasts.stream().flatMap(PredictionData::rows));
  }

  private static Stream<List<Object>> rows(Forecast forecast) {
    return entries(forecast)
        .map(
            entry ->
                List.of(
                    forecast.nNodes(),
                    entry.collective,
                    entry.kernel.isPresent() ? entry.kernel : entry.algorithm,
                    entry.protocol,
                    entry.channels,
                    entry.bytes,
                    entry.timeUs,
                    entry.timeLowUs,
                    entry.timeHighUs,
                    entry.algbwGBps,
                    entry.busbwGBps,
                    entry.chosen,
                    entry.launchedChannels));
  }
}
