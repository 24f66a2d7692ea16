package dev.topo.simulator.verdict;

import dev.topo.model.io.ResourceTable;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.KnownSpread;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.Prediction;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The busbw that a percentage of healthy runs of such machines exceed.
 *
 * @param prediction the predicted call
 * @param percent the requested percentage
 * @param basis name of the calibration or network whose clusters stand behind the range; empty for
 *     times of the user's own machine
 * @param isProvisional whether calls without a known range get a floor, too
 */
public record BusbwFloor(Prediction prediction, int percent, String basis, boolean isProvisional) {
  /** The percentage of runs that exceed the lower end of a range. */
  private static final int OF_RANGE = 95;

  private static final Map<String, Integer> CLUSTERS =
      ResourceTable.lines(KnownSpread.class, "clusters.txt").stream()
          .map(line -> line.split(" +"))
          .collect(Collectors.toMap(cells -> cells[0], cells -> Integer.valueOf(cells[1])));

  /**
   * The floors of all predictions of a forecast.
   *
   * @param percent the requested percentage
   */
  public static List<BusbwFloor> of(
      CommunicatorPredictions forecast, int percent, boolean isProvisional) {
    CallPredictor predictor = forecast.predictor();
    String inNode = predictor.calibration().map(Calibration::name).orElse(KnownSpread.NCCL_IN_NODE);
    String between =
        predictor.network().map(network -> network.calibration().name()).orElse(inNode);
    return Stream.<Prediction>concat(forecast.predictions(), forecast.peers().stream())
        .map(
            prediction ->
                new BusbwFloor(
                    prediction,
                    percent,
                    switch (prediction.source()) {
                      case NETWORK -> between;
                      case OWN_TIMES -> "";
                      default -> inNode;
                    },
                    isProvisional))
        .toList();
  }

  /** Independent clusters behind the range; 0 without one, and for a calibration of the user. */
  public int clusters() {
    return prediction.spread().isEmpty() ? 0 : CLUSTERS.getOrDefault(basis, 0);
  }

  /**
   * The percentage that the data support, at most the requested one: of n clusters and one more
   * each is equally likely to be the slowest. A range of the user's own calibration is of his
   * machines and supports its own percentage. 0 without a range.
   */
  public int supportedPercent() {
    return prediction.spread().isEmpty()
        ? 0
        : Math.min(percent, clusters() == 0 ? OF_RANGE : 100 * clusters() / (clusters() + 1));
  }

  /**
   * The floor in GB/s: the lower end of the range up to 95 %, above that the lower end of one twice
   * as wide, which verdicts on runs tolerate; empty if no range is known.
   */
  public OptionalDouble gbps() {
    if (prediction.spread().isEmpty()) {
      return isProvisional ? OptionalDouble.of(prediction.busbwGBps() / 2) : OptionalDouble.empty();
    }
    double spreads = percent > OF_RANGE ? Verdict.SPREADS : 1;
    return OptionalDouble.of(
        prediction.busbwGBps()
            * prediction.timeUs()
            / prediction.longestUs(spreads * prediction.spread().getAsDouble()));
  }
}
