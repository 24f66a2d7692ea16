package dev.topo.simulator.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.timing.CallShape;
import dev.topo.simulator.timing.CallShape.Contention;
import dev.topo.simulator.timing.CallShape.TrafficRoute;
import dev.topo.simulator.timing.TimingModel;
import dev.topo.simulator.verdict.CalibrationFit.FitObservation;
import dev.topo.simulator.verdict.CalibrationFit.FitResult;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CalibrationFitTest {
  private static final Calibration TRUE =
      Calibration.typical()
          .with(
              Map.of(
                  Constant.LAUNCH_PER_GPU,
                  5.0,
                  Constant.KERNEL,
                  12.0,
                  Constant.NVLINK_EFFICIENCY,
                  0.8,
                  Constant.COPY_SIMPLE,
                  60.0));
  private static final Set<Constant> FREE =
      EnumSet.of(
          Constant.LAUNCH_PER_GPU,
          Constant.KERNEL,
          Constant.NVLINK_EFFICIENCY,
          Constant.COPY_SIMPLE,
          Constant.LOAD_LL);

  private static List<FitObservation> observations() {
    TimingModel model = new TimingModel(TRUE);
    List<FitObservation> observations = new ArrayList<>();
    for (int channels : new int[] {1, 4, 24}) {
      for (long share = 64; share <= 1 << 28; share *= 4) {
        for (Collective collective : Collective.values()) {
          CallShape shape =
              new CallShape(
                  collective,
                  Algorithm.RING,
                  Protocol.SIMPLE,
                  false,
                  4,
                  4,
                  channels,
                  544,
                  share,
                  524_288,
                  TrafficRoute.ring(new Contention(channels / 0.3708, 0, false, false)),
                  false,
                  DataType.FLOAT32);
          observations.add(new FitObservation(shape, model.estimate(shape).timeUs(), 1, 0));
        }
      }
    }
    return observations;
  }

  @Test
  void findsTheConstantsThatMadeTheTimes() {
    FitResult fit =
        new CalibrationFit(observations(), Calibration.typical(), FREE).run("f", "t", round -> {});
    for (Constant constant : FREE) {
      if (constant != Constant.LOAD_LL) {
        assertEquals(
            TRUE.value(constant),
            fit.calibration().value(constant),
            0.02 * TRUE.value(constant),
            constant.label());
      }
    }
  }

  @Test
  void saysWhatTheDataDoNotDetermine() {
    FitResult fit =
        new CalibrationFit(observations(), Calibration.typical(), FREE).run("f", "t", round -> {});
    assertEquals(Constant.LOAD_LL.typical(), fit.calibration().value(Constant.LOAD_LL), 1e-9);
    List<FitObservation> noisy = new ArrayList<>();
    int sign = 1;
    for (FitObservation observation : observations()) {
      noisy.add(
          new FitObservation(observation.shape(), observation.timeUs() * (1 + sign * 0.03), 1, 0));
      sign = -sign;
    }
    List<Constant> unknown =
        new CalibrationFit(noisy, Calibration.typical(), FREE)
            .run("f", "t", round -> {})
            .undetermined();
    assertTrue(unknown.contains(Constant.LOAD_LL), unknown.toString());
    assertFalse(unknown.contains(Constant.NVLINK_EFFICIENCY), unknown.toString());
  }

  @Test
  void outliersDoNotRule() {
    List<FitObservation> spoiled = new ArrayList<>(observations());
    for (int o = 0; o < spoiled.size(); o += 12) {
      FitObservation observation = spoiled.get(o);
      spoiled.set(o, new FitObservation(observation.shape(), observation.timeUs() * 3, 1, 0));
    }
    FitResult fit =
        new CalibrationFit(spoiled, Calibration.typical(), FREE).run("f", "t", round -> {});
    assertEquals(0.8, fit.calibration().value(Constant.NVLINK_EFFICIENCY), 0.02);
  }

  private static List<FitObservation> ofSizes(Calibration truth, double scatter) {
    TimingModel model = new TimingModel(truth);
    List<FitObservation> observations = new ArrayList<>();
    int sign = 1;
    for (FitObservation observation : observations()) {
      sign = -sign;
      observations.add(
          new FitObservation(
              observation.shape(),
              model.timeUs(observation.shape()) * (1 + sign * scatter),
              1,
              ((CallShape) observation.shape()).shareBytes()));
    }
    return observations;
  }

  @Test
  void constantsStayWhereNoFitIsBetterOnSizesHeldOut() {
    FitResult fit =
        new HeldOutFit(ofSizes(TRUE, 0.05), TRUE, FREE, TimingModel::new)
            .run("f", "t", round -> {});
    assertTrue(fit.isKept());
    assertEquals(TRUE.values(), fit.calibration().values());
  }

  @Test
  void constantsMoveAsFarAsSizesHeldOutSupport() {
    FitResult fit =
        new HeldOutFit(ofSizes(TRUE, 0), Calibration.typical(), FREE, TimingModel::new)
            .run("f", "t", round -> {});
    assertFalse(fit.isKept());
    assertTrue(fit.heldOut().orElseThrow().moved().median() < fit.heldOut().get().start().median());
    assertEquals(
        TRUE.value(Constant.NVLINK_EFFICIENCY),
        fit.calibration().value(Constant.NVLINK_EFFICIENCY),
        0.02);
  }

  /** A few times of small calls say nothing of the rest. */
  @Test
  void whatLeavesMostUndeterminedClaimsNoMoreThanItsStart() {
    Calibration start = Calibration.typical().named("start", "a test", 0.09);
    FitResult few =
        new CalibrationFit(observations().subList(0, 3), start, EnumSet.allOf(Constant.class))
            .run("few", "t", round -> {});
    assertEquals(0.09, few.calibration().spread());
    assertEquals(Constant.OF_NVLS, few.calibration().published());
    FitResult enough =
        new CalibrationFit(observations(), start, FREE).run("enough", "t", round -> {});
    assertEquals(0.01, enough.calibration().spread());
  }
}
