package dev.topo.simulator.verdict;

import dev.topo.model.Alike;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkCalibration.NetworkConstant;
import dev.topo.simulator.network.NetworkModel;
import dev.topo.simulator.network.NetworkSpread;
import dev.topo.simulator.network.NetworkSpread.Extent;
import dev.topo.simulator.verdict.ErrorTable.Errors;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * A calibration of a network that was fitted to measured times, with its errors.
 *
 * @param base the calibration at the start of the fit
 * @param fitted the fitted constants; undetermined ones are those of the base
 * @param determined the constants that the times determine
 * @param rows errors by nodes and collective, fitted times first
 */
public record NetworkReport(
    NetworkCalibration base,
    NetworkCalibration fitted,
    Set<NetworkConstant> determined,
    List<Row> rows) {
  /**
   * The network is of another kind than the base if a fit from afar has held-out errors below this
   * fraction of those of a fit near the base.
   */
  private static final double ANOTHER_KIND = 0.5;

  /** Least number of held-out times from which the range of 90 of 100 predictions can be told. */
  private static final int LEAST_TIMES = 4;

  /**
   * Errors of a series of times.
   *
   * @param series nodes and collective
   * @param isFitted whether the times are in the fit
   * @param base errors of the base
   * @param fitted errors of the fit
   * @param heldOut errors on every second size of a fit to the sizes between; for times outside the
   *     fit, the errors of the whole fit
   */
  public record Row(String series, boolean isFitted, Errors base, Errors fitted, Errors heldOut) {}

  private record Judged(NetworkTimes time, boolean isFitted, double heldOut) {}

  public NetworkReport {
    determined = Set.copyOf(determined);
    rows = List.copyOf(rows);
  }

  /**
   * Fits constants and determines their errors.
   *
   * @param times times to fit to; each number of nodes has the same total weight
   * @param against times that stay out of the fit
   * @param base start of the fit
   */
  static NetworkReport of(
      List<NetworkTimes> times,
      List<NetworkTimes> against,
      NetworkCalibration base,
      String name,
      String origin) {
    List<NetworkTimes> sorted =
        times.stream()
            .sorted(
                Comparator.comparing(NetworkTimes::series)
                    .thenComparing(time -> time.measurement().sizeBytes()))
            .toList();
    Function<List<NetworkTimes>, NetworkCalibration> near =
        some -> NetworkFit.fitNear(observations(some), base);
    Function<List<NetworkTimes>, NetworkCalibration> far =
        some -> NetworkFit.fitFromAfar(observations(some), base);
    List<Judged> judged = heldOut(sorted, near);
    List<Judged> judgedFar = heldOut(sorted, far);
    boolean isOfAnotherKind = median(judgedFar) < ANOTHER_KIND * median(judged);
    NetworkCalibration found = (isOfAnotherKind ? far : near).apply(sorted);
    if (isOfAnotherKind) {
      judged = judgedFar;
    }
    Set<NetworkConstant> determined = NetworkFit.determined(observations(sorted), found);
    NetworkCalibration fitted = found.named(name, origin);
    for (NetworkConstant constant : NetworkConstant.values()) {
      fitted = determined.contains(constant) ? fitted : fitted.with(constant, base.value(constant));
    }
    NetworkModel model = new NetworkModel(fitted);
    for (NetworkTimes time : against) {
      judged.add(new Judged(time, false, time.error(model)));
    }
    if (judged.size() >= LEAST_TIMES) {
      Errors heldOutErrors = Errors.of(judged, time -> symmetric(time.heldOut));
      fitted =
          fitted.withSpread(
              new NetworkSpread(
                  Math.ceil(100 * Math.max(0.01, heldOutErrors.percentile90())) / 100,
                  measured(judged)));
    }
    return new NetworkReport(base, fitted, determined, rows(judged, base, model));
  }

  /** Errors of each half of the times (every second one) under a fit to the other half. */
  private static List<Judged> heldOut(
      List<NetworkTimes> sorted, Function<List<NetworkTimes>, NetworkCalibration> fit) {
    List<Judged> judged = new ArrayList<>();
    for (int half = 0; half < 2; half++) {
      NetworkModel other = new NetworkModel(fit.apply(half(sorted, 1 - half)));
      half(sorted, half).forEach(time -> judged.add(new Judged(time, true, time.error(other))));
    }
    return judged;
  }

  private static double median(List<Judged> judged) {
    return Errors.of(judged, time -> symmetric(time.heldOut)).median();
  }

  private static Map<Operation, Extent> measured(List<Judged> judged) {
    Map<Operation, Extent> measured = new LinkedHashMap<>();
    for (Judged item : judged) {
      long bytes = item.time.measurement().sizeBytes();
      int nodes = item.time.nodes();
      measured.merge(
          item.time.measurement().collective(),
          new Extent(nodes, nodes, bytes, bytes),
          Extent::and);
    }
    return measured;
  }

  private static List<Row> rows(List<Judged> judged, NetworkCalibration base, NetworkModel model) {
    NetworkModel before = new NetworkModel(base);
    List<Judged> sorted =
        judged.stream()
            .sorted(
                Comparator.comparing((Judged item) -> !item.isFitted)
                    .thenComparing(item -> item.time.nodes())
                    .thenComparing(item -> item.time.series()))
            .toList();
    return Alike.by(sorted, item -> item.isFitted + item.time.series()).values().stream()
        .map(
            group ->
                new Row(
                    group.get(0).time.series(),
                    group.get(0).isFitted,
                    Errors.of(group, item -> item.time.error(before)),
                    Errors.of(group, item -> item.time.error(model)),
                    Errors.of(group, item -> item.heldOut)))
        .toList();
  }

  private static List<NetworkTimes> half(List<NetworkTimes> sorted, int which) {
    List<NetworkTimes> half = new ArrayList<>();
    for (int i = which; i < sorted.size(); i += 2) {
      half.add(sorted.get(i));
    }
    return half;
  }

  private static List<NetworkFit.Observation> observations(List<NetworkTimes> times) {
    return times.stream()
        .map(
            time ->
                time.observation(
                    1.0 / times.stream().filter(other -> other.nodes() == time.nodes()).count()))
        .toList();
  }

  /**
   * Converts an error to the size that is relative to the shorter of the two times, so that the
   * range from t / (1 + size) to t (1 + size) just contains the measured time.
   */
  private static double symmetric(double error) {
    return error >= 0 ? error : 1 / (1 + error) - 1;
  }
}
