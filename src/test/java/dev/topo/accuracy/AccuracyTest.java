package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.fixture.Thorough;
import dev.topo.model.operation.Algorithm;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.timing.TimingModel;
import dev.topo.simulator.verdict.ChoiceRegret;
import dev.topo.simulator.verdict.ErrorTable.Errors;
import dev.topo.simulator.verdict.MeasuredSet;
import dev.topo.simulator.verdict.ModelError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How far the timing model with the shipped calibration is off on real GPUs, and NCCL's own model
 * beside it. Prints one line for each set.
 */
class AccuracyTest {
  private static final TimingModel MODEL =
      new TimingModel(CalibrationFile.shipped("h200-nvswitch").orElseThrow());

  @Test
  void fourGpusEveryPairAndSize() {
    List<ModelError> forced = forced(MeasuredSets.x4());
    Errors errors = print("h200-x4, forced pairs, 8 B to 4 GiB", forced);
    assertEquals(522, errors.count());
    assertTrue(errors.median() <= 0.025, errors.toString());
    assertTrue(errors.percentile90() <= 0.08, errors.toString());
    Errors nccl = ModelError.ncclErrors(forced);
    assertEquals(0.14, nccl.median(), 0.005);
    assertEquals(0.55, nccl.percentile90(), 0.01);
  }

  @Test
  void twoGpusWithoutFittingAgain() {
    List<ModelError> forced = forced(MeasuredSets.x2());
    Errors errors = print("h200-x2, forced pairs, not fitted", forced);
    assertEquals(528, errors.count());
    assertTrue(errors.median() <= 0.06, errors.toString());
    List<ModelError> others = new ArrayList<>(forced);
    others.removeIf(c -> MeasuredSets.isLaunchOnly(c.measurement()));
    Errors untouched = print("h200-x2, without the calls that tell launches apart", others);
    assertTrue(untouched.median() <= 0.06, untouched.toString());
  }

  /** Neither other numbers of channels nor two GPUs are needed for the bounds. */
  @Test
  @Tag("slow")
  void fittedToTheSweepOfFourGpusAlone() {
    TimingModel alone = new TimingModel(MeasuredSets.fitToSweepAlone().calibration());
    Predicate<ModelError> forced = c -> c.measurement().forced().isPresent();
    Errors four =
        ModelError.errors(ModelError.of(MeasuredSets.x4(), alone).stream().filter(forced).toList());
    Errors two =
        ModelError.errors(ModelError.of(MeasuredSets.x2(), alone).stream().filter(forced).toList());
    assertTrue(four.median() <= 0.025 && four.percentile90() <= 0.08, four.toString());
    assertTrue(two.median() <= 0.06, two.toString());
  }

  @Test
  void ncclsOwnChoiceOnFourGpus() {
    List<ModelError> chosen =
        comparisons(MeasuredSets.x4(), c -> c.measurement().forced().isEmpty());
    Errors errors = print("h200-x4, NCCL's choice", chosen);
    assertTrue(errors.median() <= 0.025, errors.toString());
    assertTrue(errors.percentile90() <= 0.08, errors.toString());
  }

  /** The first two were not looked at by the fit. */
  @ParameterizedTest
  @ValueSource(strings = {"chain", "nvs6-amd", "pairs2s"})
  void declaredAsAnotherMachine(String what) {
    MeasuredSet set = MeasuredSets.declared(what);
    List<ModelError> large =
        comparisons(set, c -> c.measurement().sizeBytes() >= MeasuredSets.LARGE);
    print(set.name() + ", 2 MiB and above", large);
    ModelError gib = large.get(large.size() - 1);
    assertEquals(1L << 30, gib.measurement().sizeBytes());
    // busbw is size by time: the error of one is that of the other.
    assertTrue(Math.abs(gib.error()) <= 0.10, what + " " + gib.error());
  }

  /** The rings of the chain lead over a GPU in between, its trees do not. */
  @Test
  void ringsOverAGpuInBetweenTakeLonger() {
    List<ModelError> chain =
        comparisons(MeasuredSets.declared("chain"), c -> c.measurement().sizeBytes() >= 1 << 20);
    for (ModelError one : chain) {
      boolean isRing = one.shape().algorithm() == Algorithm.RING;
      assertEquals(isRing, one.shape().route().together().throughGpu());
      assertEquals(isRing, MeasuredSets.isByRings(one.measurement()));
      assertTrue(Math.abs(one.error()) <= 0.10, one.measurement() + " " + one.error());
    }
  }

  /** Kernels alone, of which the fit has seen those up to 256 KiB. */
  @Test
  void replaysOfACudaGraph() {
    Errors errors = print("h200-x4, replays of a CUDA graph", forced(MeasuredSets.graphsX4()));
    assertEquals(378, errors.count());
    assertTrue(errors.median() <= 0.05, errors.toString());
    Errors two =
        print(
            "h200-x2, replays of a CUDA graph, not fitted",
            comparisons(MeasuredSets.graphsX2(), c -> !MeasuredSets.isStartOnly(c.measurement())));
    assertEquals(296, two.count());
    assertTrue(two.median() <= 0.10, two.toString());
    assertEquals(0.15, two.percentile90(), 0.005, two.toString());
  }

  /** As most jobs run, with nothing of it in the fit. */
  @Test
  void aThreadForEachGpu() {
    Errors errors =
        print("h200-x2, a thread for each GPU, not fitted", forced(MeasuredSets.threadsX2()));
    assertEquals(492, errors.count());
    assertTrue(errors.median() <= 0.06, errors.toString());
    Errors channels =
        print(
            "h200-x2, 2 to 24 channels, 1 MiB and above, not fitted",
            comparisons(
                MeasuredSets.channelsX2(),
                c ->
                    c.measurement().sizeBytes() >= 1 << 20
                        && c.measurement().channels().orElseThrow() > 1));
    assertTrue(channels.median() <= 0.05, channels.toString());
    assertTrue(channels.percentile90() <= 0.08, channels.toString());
  }

  /** The same on four, on a host whose threads took 10 us for a launch instead of 8. */
  @Test
  void aThreadForEachOfFourGpus() {
    Errors errors =
        print("h200-x4, a thread for each GPU, not fitted", forced(MeasuredSets.threadsX4()));
    assertEquals(486, errors.count());
    assertTrue(errors.median() <= 0.06, errors.toString());
  }

  /** In buffers that are larger than the L2 cache and in smaller ones. */
  @Test
  void forcedNumbersOfChannelsWithAThreadForEachOfFourGpus() {
    List<ModelError> all = ModelError.of(MeasuredSets.channelsThreadsX4FromMemory(), MODEL);
    assertEquals(630, all.size());
    long within = all.stream().filter(c -> Math.abs(c.error()) <= 0.10).count();
    assertTrue(within >= 621, "within 10 %: " + within);
    Errors held =
        print(
            "h200-x4, a thread for each GPU, 2 to 24 channels, 1 MiB and above, not fitted",
            comparisons(
                MeasuredSets.channelsThreadsX4FromMemory(),
                c -> c.measurement().channels().orElseThrow() > 1));
    assertTrue(held.median() <= 0.05, held.toString());
    assertTrue(held.percentile90() <= 0.10, held.toString());
    Errors process =
        print(
            "h200-x4, one process, 1 to 24 channels, 16 MiB and above, not fitted",
            comparisons(
                MeasuredSets.channelsFromMemory(), c -> c.measurement().sizeBytes() >= 16 << 20));
    assertTrue(process.percentile90() <= 0.10, process.toString());
    Errors cached =
        print(
            "h200-x4, a thread for each GPU, 1 to 24 channels, buffers of 64 MiB, not fitted",
            comparisons(
                MeasuredSets.channelsThreadsX4(), c -> c.measurement().sizeBytes() >= 1 << 20));
    assertEquals(432, cached.count());
    assertTrue(cached.median() <= 0.05, cached.toString());
    assertTrue(cached.percentile90() <= 0.10, cached.toString());
  }

  /**
   * The host that the runs with forced channels were made on launched slower, so that smaller calls
   * say nothing of the GPUs.
   */
  @Test
  void forcedNumbersOfChannels() {
    MeasuredSet set = MeasuredSets.channels();
    Predicate<ModelError> large = c -> c.measurement().sizeBytes() >= MeasuredSets.LARGE;
    print(
        "1, 4, 12 channels, 2 MiB and above, fitted",
        comparisons(set, large.and(c -> MeasuredSets.isFittedCount(c.measurement()))));
    List<ModelError> held =
        comparisons(set, large.and(c -> !MeasuredSets.isFittedCount(c.measurement())));
    Errors errors = print("2, 8, 16, 24 channels, 2 MiB and above, not fitted", held);
    assertTrue(errors.percentile90() <= 0.10, errors.toString());
    Errors rings =
        print(
            "rings on 1 to 24 channels, 8 MiB and above",
            comparisons(
                set,
                c ->
                    c.measurement().sizeBytes() >= 4 * MeasuredSets.LARGE
                        && c.shape().algorithm() == Algorithm.RING));
    assertTrue(rings.largest() <= 0.10, rings.toString());
  }

  @Test
  void followingTheModelCostsLessThanFollowingNccl() {
    for (MeasuredSet set :
        List.of(
            MeasuredSets.x4(),
            MeasuredSets.x2(),
            MeasuredSets.threadsX2(),
            MeasuredSets.threadsX4(),
            MeasuredSets.graphsX4(),
            MeasuredSets.graphsX2())) {
      ChoiceRegret nccl = ChoiceRegret.ofNccl(set, 1);
      ChoiceRegret model = ChoiceRegret.ofModel(set, MODEL, 1);
      Thorough.print(set.name() + ": " + text("NCCL", nccl) + "; " + text("topo", model));
      assertTrue(model.mean() < nccl.mean(), model.toString());
      assertTrue(model.worst() < nccl.worst(), model.toString());
      assertTrue(model.within2Percent() > nccl.within2Percent(), model.toString());
    }
  }

  /** Where no thread launches for several GPUs, calls are told apart also below 2 MiB. */
  @Test
  void followingTheModelWhereMeasurementsAreSteady() {
    for (MeasuredSet set :
        List.of(MeasuredSets.threadsX2(), MeasuredSets.graphsX4(), MeasuredSets.graphsX2())) {
      ChoiceRegret model = ChoiceRegret.ofModel(set, MODEL, 1);
      assertTrue(model.within2Percent() >= 0.95 * model.cases(), set.name() + model);
      assertTrue(model.mean() <= 0.005, set.name() + model);
      assertTrue(model.worst() <= 0.10, set.name() + model);
    }
  }

  private static List<ModelError> forced(MeasuredSet set) {
    return comparisons(set, c -> c.measurement().forced().isPresent());
  }

  private static List<ModelError> comparisons(MeasuredSet set, Predicate<ModelError> which) {
    return ModelError.of(set, MODEL).stream().filter(which).toList();
  }

  private static Errors print(String what, List<ModelError> comparisons) {
    Errors errors = ModelError.errors(comparisons);
    Errors nccl = ModelError.ncclErrors(comparisons);
    Thorough.print(
        String.format(
            Locale.ROOT,
            "%s: %d times, error median %.1f %%, 90th percentile %.1f %%, largest %.1f %%"
                + " (NCCL's model %.0f %%, %.0f %%)",
            what,
            errors.count(),
            100 * errors.median(),
            100 * errors.percentile90(),
            100 * errors.largest(),
            100 * nccl.median(),
            100 * nccl.percentile90()));
    return errors;
  }

  private static String text(String who, ChoiceRegret regret) {
    return String.format(
        Locale.ROOT,
        "following %s within 2 %% of the best in %d/%d (within the scatter in %d), mean %.2f %%, worst"
            + " %.1f %%",
        who,
        regret.within2Percent(),
        regret.cases(),
        regret.withinScatter(),
        100 * regret.mean(),
        100 * regret.worst());
  }
}
