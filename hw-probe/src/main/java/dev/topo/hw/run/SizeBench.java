package dev.topo.hw.run;

import dev.topo.hw.run.GpuGroup.Buffer;
import dev.topo.hw.run.RunCollective.Extent;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Measures one size on the GPUs of one thread ({@code BenchTime}, {@code nccl-tests:src/common.cu},
 * 2.19.6): calls are queued one after the other, and the time until all are done is divided by
 * their number.
 */
record SizeBench(
    RunRequest request,
    long bufferBytes,
    GpuGroup gpus,
    ThreadTeam.Member team,
    LongSupplier nowNs) {
  private static final double US = 1e6;
  private static final double NS_PER_S = 1e9;
  private static final int REHEARSALS = 5;
  private static final String REHEARSAL_STEP = "the first calls";

  /**
   * Measures a call without data, which runs nothing on the GPUs, so that the JVM loads and
   * compiles the code: otherwise calls of the first sizes take several microseconds longer.
   */
  void rehearse(CallArguments nothing) {
    for (int i = 0; i < REHEARSALS; i++) {
      measure(nothing, false, i, REHEARSAL_STEP);
      measure(nothing, true, i, REHEARSAL_STEP);
    }
  }

  void warmUp(CallArguments call, String step) {
    for (int i = 0; i < request.repetition().warmUps(); i++) {
      launch(call, false, i, step);
    }
    await(step);
  }

  CallResult measure(CallArguments call, boolean inPlace, long seed, String step) {
    Repetition repetition = request.repetition();
    ResultCheck check = new ResultCheck(request.corruption(), request.use().misalignment(), gpus);
    if (repetition.checks() > 0) {
      check.prepare(call, inPlace, seed);
    }
    launch(call, inPlace, 0, step);
    await(step);
    OptionalDouble estimate = estimate(call, inPlace);
    team.meet();
    Elapsed elapsed =
        repetition.graphLaunches() > 0
            ? graphs(call, inPlace, step)
            : iterations(call, inPlace, step);
    double seconds = team.average(elapsed.seconds(), request.reporting().average());
    IterationTimes times =
        request.reporting().iterations()
            ? team.gather(elapsed.iterationsUs())
            : IterationTimes.NONE;
    team.meet();

    Optional<String> firstWrong = Optional.empty();
    long wrong = 0;
    for (int i = 0; i < repetition.checks() && wrong == 0; i++) {
      check.prepare(call, inPlace, ~seed - i);
      launchOnce(call, inPlace, step);
      ResultCheck.Finding finding = check.examine(call, inPlace, ~seed - i);
      firstWrong = finding.first();
      wrong = team.sum(finding.wrong());
    }
    boolean checked = repetition.checks() > 0 && (!inPlace || call.collective().inPlaceDefined());
    double bytes =
        call.collective().bandwidthBytes(call.extent(), call.type().sizeBytes(), gpus.nRanks());
    double algbw = bytes / 1e9 / seconds;
    return new CallResult(
        seconds * US,
        queuedSeconds(elapsed) * US,
        algbw,
        algbw * call.collective().operation().busbwFactor(gpus.nRanks()),
        checked ? OptionalLong.of(wrong) : OptionalLong.empty(),
        estimate,
        checked ? firstWrong : Optional.empty(),
        times);
  }

  /** Time of rank 0 as in nccl-tests, or the shortest or longest of all ranks with {@code -a}. */
  private double queuedSeconds(Elapsed elapsed) {
    Average average = request.reporting().average();
    return request.reporting().cpuTime() && (average == Average.MIN || average == Average.MAX)
        ? team.average(elapsed.cpuSeconds(), average)
        : elapsed.cpuSeconds();
  }

  /**
   * Times of one call.
   *
   * @param seconds time until all calls were done, divided by their number
   * @param cpuSeconds time until all calls were queued, divided by their number
   * @param iterationsUs time in each iteration, from events, if requested
   */
  private record Elapsed(double seconds, double cpuSeconds, double... iterationsUs) {
    Elapsed per(double calls) {
      return new Elapsed(seconds / calls, cpuSeconds / calls, iterationsUs);
    }
  }

  private Elapsed iterations(CallArguments call, boolean inPlace, String step) {
    Repetition repetition = request.repetition();
    boolean meets = repetition.blocking() == Blocking.EACH_ITERATION_AND_MEET;
    IterationClock clock = IterationClock.of(request, gpus);
    long withoutMeetings = 0;
    long begin = nowNs.getAsLong();
    for (int i = 0; i < repetition.iterations(); i++) {
      long iterationBegin = meets ? nowNs.getAsLong() : begin;
      clock.begin(i);
      launchAggregated(call, inPlace, i, step);
      if (meets) {
        await(step);
        clock.end(i);
        withoutMeetings += nowNs.getAsLong() - iterationBegin;
        team.meet();
      }
    }
    clock.end();
    long queued = nowNs.getAsLong() - begin;
    await(step);
    long done = nowNs.getAsLong() - begin;
    double calls = (double) repetition.iterations() * repetition.aggregated();
    double[] iterationsUs = clock.longestUs();
    return meets
        ? new Elapsed(withoutMeetings / NS_PER_S, withoutMeetings / NS_PER_S, iterationsUs)
            .per(calls)
        : new Elapsed(done / NS_PER_S, queued / NS_PER_S, iterationsUs).per(calls);
  }

  private Elapsed graphs(CallArguments call, boolean inPlace, String step) {
    Repetition repetition = request.repetition();
    gpus.beginGraph();
    for (int i = 0; i < repetition.iterations(); i++) {
      launchAggregated(call, inPlace, i, step);
    }
    gpus.endGraph();
    team.meet();
    long begin = nowNs.getAsLong();
    for (int i = 0; i < repetition.graphLaunches(); i++) {
      gpus.launchGraph();
    }
    long queued = nowNs.getAsLong() - begin;
    await(step);
    long done = nowNs.getAsLong() - begin;
    gpus.dropGraph();
    double calls =
        (double) repetition.iterations() * repetition.aggregated() * repetition.graphLaunches();
    return new Elapsed(done / NS_PER_S, queued / NS_PER_S).per(calls);
  }

  private void launchAggregated(CallArguments call, boolean inPlace, int iteration, String step) {
    int aggregated = request.repetition().aggregated();
    if (aggregated > 1) {
      gpus.groupStart();
    }
    for (int i = 0; i < aggregated; i++) {
      launch(call, inPlace, iteration * aggregated + i, step);
    }
    if (aggregated > 1) {
      gpus.groupEnd();
    }
  }

  /** Launches a call whose result is checked. */
  private void launchOnce(CallArguments call, boolean inPlace, String step) {
    boolean graph = request.repetition().graphLaunches() > 0;
    if (graph) {
      gpus.beginGraph();
    }
    launch(call, inPlace, 0, step);
    if (graph) {
      gpus.endGraph();
      gpus.launchGraph();
    }
    await(step);
    if (graph) {
      gpus.dropGraph();
    }
  }

  /**
   * Queues a call on every GPU. Each iteration uses another part of the buffers, if they are large
   * enough, so that its data is not in a cache.
   */
  private void launch(CallArguments call, boolean inPlace, int iteration, String step) {
    if (gpus.size() > 1) {
      gpus.groupStart();
    }
    queue(call, inPlace, iteration);
    if (gpus.size() > 1) {
      gpus.groupEnd();
    }
    Blocking blocking = request.repetition().blocking();
    if (request.repetition().graphLaunches() == 0
        && (blocking == Blocking.EACH_CALL || blocking == Blocking.EACH_CALL_AND_MEET)
        && request.repetition().aggregated() == 1) {
      await(step);
      if (blocking == Blocking.EACH_CALL_AND_MEET) {
        team.meet();
      }
    }
  }

  private void queue(CallArguments call, boolean inPlace, int iteration) {
    Extent extent = call.extent();
    int elementBytes = call.type().sizeBytes();
    long used = call.bytes();
    long steps = used == 0 ? 1 : Math.max(1, bufferBytes / used);
    long shift = used * (iteration % steps) + (long) request.use().misalignment() * elementBytes;
    Buffer source = inPlace ? Buffer.RECEIVE : Buffer.SEND;
    for (int gpu = 0; gpu < gpus.size(); gpu++) {
      long rank = inPlace ? gpus.rank(gpu) : 0;
      gpus.launch(
          gpu,
          call,
          source,
          shift + extent.sendInPlaceOffset() * elementBytes * rank,
          shift + extent.receiveInPlaceOffset() * elementBytes * rank);
    }
  }

  private OptionalDouble estimate(CallArguments call, boolean inPlace) {
    if (!request.reporting().estimates() || call.count() == 0) {
      return OptionalDouble.empty();
    }
    gpus.groupStart();
    queue(call, inPlace, 0);
    return OptionalDouble.of(gpus.groupEstimateUs());
  }

  /** Waits until the GPUs have completed the queued calls. */
  private void await(String step) {
    boolean[] done = new boolean[gpus.size()];
    int remaining = gpus.size();
    long begin = nowNs.getAsLong();
    long limit = request.timeLimitSeconds() * (long) NS_PER_S;
    while (remaining > 0) {
      boolean idle = true;
      for (int gpu = 0; gpu < done.length; gpu++) {
        if (!done[gpu] && gpus.isDone(gpu)) {
          done[gpu] = true;
          remaining--;
          idle = false;
        }
      }
      if (remaining > 0 && limit > 0 && nowNs.getAsLong() - begin > limit) {
        throw RunFailure.stalled(waiting(done), request.timeLimitSeconds(), step);
      }
      if (idle) {
        Thread.yield();
      }
    }
  }

  private List<Integer> waiting(boolean[] done) {
    return IntStream.range(0, done.length).filter(gpu -> !done[gpu]).mapToObj(gpus::rank).toList();
  }
}
