package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.accuracy.NetworkFit.Observation;
import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkCalibration.NetworkConstant;
import dev.topo.simulator.network.NetworkModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NetworkFitTest {
  private static final NetworkCalibration TYPICAL = NetworkCalibration.typical();

  /** Times that are a constant each, and so many times as long as with the typical one. */
  private static List<Observation> times(NetworkConstant constant, int count, double factor) {
    List<Observation> times = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      times.add(
          new Observation(
              model -> model.calibration().value(constant), factor * constant.typical(), 1));
    }
    return times;
  }

  /** Twenty times, of which so many are 1.2 times as long as typical; those depend on STEP. */
  private static double step(int longer) {
    List<Observation> all = times(NetworkConstant.STEP, longer, 1.2);
    all.addAll(times(NetworkConstant.PEERS, 20 - longer, 1));
    return NetworkFit.fitNear(all, TYPICAL).value(NetworkConstant.STEP);
  }

  @Test
  void aFitFindsTheConstantsThatMadeTheTimes() {
    NetworkCalibration truth =
        TYPICAL.with(NetworkConstant.SHARE, 0.7).with(NetworkConstant.STEP, 80);
    List<Observation> observations =
        List.of(1.0, 10.0, 1000.0, 10_000.0).stream()
            .map(
                us -> new Observation(of -> timeUs(of, us), timeUs(new NetworkModel(truth), us), 1))
            .toList();
    NetworkCalibration fitted = NetworkFit.fit(observations, TYPICAL, Set.of());
    assertEquals(0.7, fitted.value(NetworkConstant.SHARE), 0.02);
    assertEquals(80, fitted.value(NetworkConstant.STEP), 2);
    assertEquals(
        TYPICAL.value(NetworkConstant.HOP_NVLS), fitted.value(NetworkConstant.HOP_NVLS), 1e-9);
  }

  private static double timeUs(NetworkModel model, double transferUs) {
    NetworkCalibration constants = model.calibration();
    return constants.value(NetworkConstant.STEP)
        + transferUs / constants.value(NetworkConstant.SHARE);
  }

  @Test
  void aTenthOfTheTimesOfAClusterDoesNotChangeAConstantOfItsKindOfNetwork() {
    double typical = NetworkConstant.STEP.typical();
    assertEquals(typical, step(2), 1e-9);
    assertEquals(1.2 * typical, step(12), 0.01 * typical);
  }

  @Test
  void twoTimesOfFewDoNotEither() {
    double typical = NetworkConstant.STEP.typical();
    List<Observation> all = times(NetworkConstant.STEP, 2, 1.2);
    all.addAll(times(NetworkConstant.PEERS, 3, 1));
    assertEquals(typical, NetworkFit.fitNear(all, TYPICAL).value(NetworkConstant.STEP), 1e-9);
    assertEquals(
        1.2 * typical,
        NetworkFit.fit(all, TYPICAL, Set.of()).value(NetworkConstant.STEP),
        0.01 * typical,
        "where nothing is known before");
  }
}
