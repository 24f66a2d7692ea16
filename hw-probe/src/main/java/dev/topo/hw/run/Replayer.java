package dev.topo.hw.run;

import dev.topo.hw.run.ReplayGpus.Timing;
import dev.topo.hw.run.ReplayPart.Function;
import dev.topo.hw.run.ReplayPlan.Step;
import dev.topo.model.Quantiles;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Replays the calls of a plan in order, each by itself, and measures their kernels' durations as a
 * profiler reports them: events are recorded before and after a call on streams that are busy until
 * everything is queued, and the overhead of events is subtracted. That overhead is measured with a
 * small call made once and twice between two events. One per process of a replay. Single use.
 */
final class Replayer {
  /**
   * Time from the end of a kernel to the start of the next queued one, in µs: the median in traces
   * of jobs on two H200 is 1.34 to 1.54 us (PyTorch 2.11, CUDA 13.0, 2026-11-22 and 23).
   */
  static final double BETWEEN_KERNELS_US = 1.4;

  private static final int SAMPLES = 9;
  private static final int FIRST_HOLDS = 8;
  private static final int MAX_HOLDS = 128;

  private final ReplayPlan plan;
  private final ReplayGpus gpus;
  private final Consumer<String> steps;
  private int holds = FIRST_HOLDS;

  /**
   * Replay of a plan.
   *
   * @param steps receives a text for each step
   */
  Replayer(ReplayPlan plan, ReplayGpus gpus, Consumer<String> steps) {
    this.plan = plan;
    this.gpus = gpus;
    this.steps = steps;
  }

  /** Replays the plan; returns the calls in its order. */
  List<ReplayedCall> run() {
    List<List<Double>> times = new ArrayList<>();
    Set<Integer> late = new HashSet<>();
    for (ReplayCall call : plan.calls()) {
      steps.accept("first call of " + call.name());
      // Sets up connections, which takes longer than the work that keeps a GPU busy.
      gpus.time(call, 1, 1);
      times.add(new ArrayList<>());
    }
    List<Double> eventsUs = new ArrayList<>();
    for (int group = 0; group < plan.groups().size(); group++) {
      eventsUs.add(eventsUs(group));
    }
    for (int round = 0; round <= plan.rounds(); round++) {
      steps.accept(round == 0 ? "warm-up" : "round %s of %s".formatted(round, plan.rounds()));
      for (Step step : plan.steps()) {
        if (step.gapUs() > 0) {
          gpus.rest(step.gapUs());
        }
        ReplayCall call = plan.calls().get(step.call());
        Timing timing = time(call, 1);
        if (round > 0) {
          times.get(step.call()).add(Math.max(0, timing.us() - eventsUs.get(call.group())));
          if (!timing.isQueued()) {
            late.add(step.call());
          }
        }
      }
    }
    return IntStream.range(0, times.size())
        .mapToObj(i -> new ReplayedCall(i, times.get(i), late.contains(i)))
        .toList();
  }

  /**
   * Times a call. Repeats the measurement with more preceding work on the GPUs until everything is
   * queued in time.
   */
  private Timing time(ReplayCall call, int times) {
    Timing timing = gpus.time(call, times, holds);
    while (!timing.isQueued() && holds < MAX_HOLDS) {
      holds *= 2;
      timing = gpus.time(call, times, holds);
    }
    return timing;
  }

  /**
   * Overhead of two events, including the time to the first kernel and from the last one. With o
   * for the overhead, k for a kernel and g for the time between two kernels, one call takes o + k
   * and two calls take o + 2 k + g.
   */
  private double eventsUs(int group) {
    ReplayPart part =
        new ReplayPart(Function.ALL_REDUCE, 1, DataType.FLOAT32, ReductionOperator.SUM, 0, 0);
    ReplayCall small =
        new ReplayCall(
            "events", group, Collections.nCopies(plan.groups().get(group).size(), List.of(part)));
    List<Double> once = new ArrayList<>();
    List<Double> twice = new ArrayList<>();
    for (int i = 0; i < SAMPLES; i++) {
      once.add(time(small, 1).us());
      twice.add(time(small, 2).us());
    }
    double withoutGap = 2 * Quantiles.median(once) - Quantiles.median(twice);
    return Math.max(0, withoutGap + BETWEEN_KERNELS_US);
  }
}
