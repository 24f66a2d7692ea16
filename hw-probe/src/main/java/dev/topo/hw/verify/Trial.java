package dev.topo.hw.verify;

import dev.topo.hw.run.RunCollective;
import dev.topo.hw.run.RunFailure;
import dev.topo.hw.run.SizeSweep;
import dev.topo.model.Last;
import dev.topo.model.Quantiles;
import dev.topo.model.io.SpecField;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.SpecException;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.advice.Alternative;
import dev.topo.simulator.advice.CallAdvice;
import dev.topo.simulator.advice.Setup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Measures advised changes, and alternatives that only a measurement can judge. Processes of the
 * unchanged job alternate with processes of each change, so that all run on the machine in the same
 * state. A process measures all calls that share a change.
 */
public final class Trial {
  /**
   * Number of processes of each kind: launch times of two processes may differ by more than a
   * change gains.
   */
  static final int ROUNDS = 3;

  private record TriedSetup(Setup setup, Optional<Pair> forced) {}

  private record Key(TriedSetup setup, String operation, long bytes) {}

  private final List<CallAdvice> calls;
  private final TrialRunner runner;
  private final Map<Key, List<Double>> times = new LinkedHashMap<>();

  /**
   * Trial of calls that NCCL can run here.
   *
   * @param calls advice for the calls
   * @param runner runs the measurements
   */
  public Trial(List<CallAdvice> calls, TrialRunner runner) {
    this.calls = calls.stream().filter(call -> setup(call).isPresent()).toList();
    this.runner = runner;
  }

  private static TriedSetup setup(Alternative variant) {
    return new TriedSetup(variant.setup(), variant.forced());
  }

  private static Optional<Alternative> setup(CallAdvice advice) {
    return advice.isAdvised()
        ? Optional.of(advice.best())
        : advice.candidate().map(CallAdvice.Candidate::variant);
  }

  /**
   * Runs the trial.
   *
   * @param progress receives each step
   * @throws RunFailure if NCCL does not run
   * @throws SettingException if the sizes have no common factor
   */
  public List<TriedCall> run(Consumer<String> progress) {
    if (calls.isEmpty()) {
      return List.of();
    }
    List<TrialRun> runs = runs();
    for (int round = 1; round <= ROUNDS; round++) {
      for (int i = 0; i < runs.size(); i++) {
        progress.accept(
            "round %s of %s, process %s of %s".formatted(round, ROUNDS, i + 1, runs.size()));
        measure(runs.get(i));
      }
    }
    return calls.stream().flatMap(call -> tried(call).stream()).toList();
  }

  /** Setup of the unchanged job, the same for all calls. */
  private TriedSetup now() {
    return setup(calls.get(0).now());
  }

  private void measure(TrialRun run) {
    TriedSetup setting = new TriedSetup(run.setup(), run.forced());
    for (TrialRunner.Time time : runner.run(run)) {
      times
          .computeIfAbsent(
              new Key(setting, time.operation(), time.bytes()), key -> new ArrayList<>())
          .add(time.timeUs());
    }
  }

  /** Runs of the unchanged job first, then of each alternative with its operations. */
  private List<TrialRun> runs() {
    SizeSweep sizes =
        sweep(calls.stream().map(call -> call.call().sizeBytes()).sorted().distinct().toList());
    Map<TriedSetup, Set<Operation>> operations = new LinkedHashMap<>();
    operations.put(now(), new LinkedHashSet<>());
    for (CallAdvice advice : calls) {
      Operation operation = advice.call().operation();
      operations.get(now()).add(operation);
      operations
          .computeIfAbsent(setup(setup(advice).orElseThrow()), key -> new LinkedHashSet<>())
          .add(operation);
    }
    List<TrialRun> runs = new ArrayList<>();
    operations.forEach(
        (setting, measured) ->
            runs.add(
                new TrialRun(
                    setting.setup(),
                    setting.forced(),
                    measured.stream()
                        .flatMap(
                            operation -> RunCollective.ofLabel(operation.ncclTestsName()).stream())
                        .toList(),
                    sizes)));
    return runs;
  }

  /** Sweep with a constant factor that includes the sizes of the calls. */
  private static SizeSweep sweep(List<Long> sizes) {
    long first = sizes.get(0);
    long factor = 0;
    for (int i = 1; i < sizes.size(); i++) {
      long next = sizes.get(i) / sizes.get(i - 1);
      factor = i == 1 ? next : Math.min(factor, next);
    }
    SizeSweep sweep = new SizeSweep(first, Last.of(sizes), 0, Math.max(2, factor));
    if (first == 0 || !sweep.sizes().containsAll(sizes)) {
      throw new SpecException(
          SpecField.TRY, ": expected %s as first:last:factor, as in 1M:1G:4", SpecField.SIZES);
    }
    return sweep;
  }

  private Optional<TriedCall> tried(CallAdvice advice) {
    Alternative alternative = setup(advice).orElseThrow();
    List<Double> before = times(now(), advice.call());
    List<Double> after = times(setup(alternative), advice.call());
    return before.isEmpty() || after.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new TriedCall(
                alternative,
                advice.isAdvised(),
                advice.now().timeUs() / alternative.timeUs(),
                Quantiles.median(before),
                Quantiles.median(after),
                Collections.max(before) / Collections.min(before) - 1));
  }

  private List<Double> times(TriedSetup setting, Call call) {
    return times.getOrDefault(
        new Key(setting, call.operation().ncclTestsName(), call.sizeBytes()), List.of());
  }
}
