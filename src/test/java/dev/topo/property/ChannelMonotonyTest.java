package dev.topo.property;

import dev.topo.model.fixture.RandomCases;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.network.NetworkCall;
import dev.topo.simulator.network.PortLoad;
import dev.topo.simulator.timing.CallShape;
import dev.topo.simulator.timing.CallShape.Contention;
import dev.topo.simulator.timing.TimeEstimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * More channels make no call slower, by each algorithm and protocol that NCCL is made to use; more
 * bytes make none faster, whatever the chunks of multicast are, and the smallest chunks make none
 * faster either. Every second job is on machines with NVLink multicast.
 */
class ChannelMonotonyTest {
  /** A time may differ by this part: shares and chunks are rounded. */
  private static final double TOLERANCE = 0.02;

  private static final int COUNT = RandomCases.count(40, 300);
  private static final long SEED = Long.getLong("test.seed", 1);
  private static final int MOST_CHANNELS = 32;

  /** NCCL gives the ports to the channels in turn: 13 on 4 ports load one of them with 4. */
  private static final String UNEVEN = "slower as the busiest port or link carries a larger part";

  /**
   * NCCL does not make the chunks of a pipeline smaller for more channels ({@code
   * calcCollChunking}), and the first chunks of all channels cross each hop at the same time. On
   * four H200, AllReduce of 16 MiB by Tree/Simple takes 220 us on 12 channels and 258 us on 24
   * ({@code h200-x4-channels-threads-256m.csv}).
   */
  private static final String FILL = "slower as the first chunks of more channels fill a pipeline";

  /** A proxy sends the small messages of its channels one after the other: a measured constant. */
  private static final String MESSAGES = "slower by the small messages of more channels";

  /**
   * NCCL halves the chunks of a tree until each channel has enough of them ({@code
   * calcCollChunking}): smaller chunks are waited for more often.
   */
  private static final String SMALLER_CHUNKS = "slower as more channels have smaller chunks";

  /** Of multicast NCCL itself takes larger chunks from some sizes on ({@code calcCollChunking}). */
  private static final String LARGER_CHUNKS = "faster by larger chunks";

  /** A call as NCCL is made to run it, with its time. */
  private record Run(CallPredictor predictor, CollectivePrediction prediction) {
    static Optional<Run> of(JobResult result, CollectiveCall call, Pair pair) {
      return result
          .predictor()
          .predict(call, Optional.of(pair), false)
          .filter(prediction -> prediction.source().predictsTimes())
          .map(prediction -> new Run(result.predictor(), prediction));
    }

    double timeUs() {
      return prediction.timeUs();
    }

    TimeEstimate estimate() {
      return prediction.estimate();
    }

    /** What it does inside the node; empty between nodes. */
    Optional<CallShape> inNode() {
      return predictor.planner().shape(prediction.call(), Optional.of(prediction.pair()), false);
    }

    /** What it does between nodes. */
    Optional<NetworkCall> betweenNodes() {
      return predictor
          .planner()
          .choice(prediction.call(), Optional.of(prediction.pair()))
          .flatMap(
              choice ->
                  predictor
                      .network()
                      .flatMap(network -> network.call(prediction.call(), choice, false)));
    }

    int chunkBytes() {
      return inNode()
          .map(CallShape::chunkBytes)
          .or(() -> betweenNodes().map(NetworkCall::chunkBytes))
          .orElseThrow();
    }

    /** What the busiest link of a node, or each part of the way to the busiest port, needs. */
    List<Double> loads() {
      double onLinks =
          inNode().map(shape -> shape.shareBytes() * ps(shape.route().together())).orElse(0.0);
      List<Double> loads = new ArrayList<>(List.of(onLinks));
      betweenNodes().ifPresent(call -> loads.addAll(loads(call.shareBytes(), call.port())));
      return loads;
    }

    private static List<Double> loads(long bytes, PortLoad port) {
      return List.of(
          bytes * port.linePsPerByte(),
          bytes * port.bridgePsPerByte(),
          bytes * port.hostPsPerByte(),
          bytes * port.linkPsPerByte());
    }

    private static double ps(Contention hops) {
      return Math.max(hops.nvlinkPsPerByte(), hops.otherPsPerByte());
    }

    boolean hasMoreOnOnePart(Run other) {
      List<Double> others = other.loads();
      return IntStream.range(0, others.size())
          .anyMatch(part -> isLonger(loads().get(part), others.get(part)));
    }

    boolean isPipeline() {
      return prediction.algorithm() == Algorithm.TREE
          || prediction.call().collective() == Collective.BROADCAST
          || prediction.call().collective() == Collective.REDUCE;
    }

    String words() {
      return "%s %d bytes by %s on %d channels %.1f us"
          .formatted(
              prediction.call().collective(),
              prediction.call().sizeBytes(),
              prediction.launchName(),
              prediction.channels(),
              timeUs());
    }
  }

  @Test
  void moreChannelsAreNotSlower() {
    Counts counts = new Counts("more channels");
    jobs().forEach(job -> moreChannels(counts, job));
    counts.report();
  }

  @Test
  void moreBytesAreNotFasterByAnyChunk() {
    Counts counts = new Counts("more bytes by any chunk");
    jobs().forEach(job -> moreBytes(counts, job));
    counts.report();
  }

  @Test
  void theSmallestChunksOfMulticastAreNotFaster() {
    Counts counts = new Counts("smallest chunks of multicast");
    jobs().forEach(job -> smallestChunks(counts, job));
    counts.report();
  }

  private static Stream<DrawnJob> jobs() {
    return LongStream.range(SEED, SEED + COUNT)
        .mapToObj(seed -> seed % 2 == 0 ? DrawnJob.of(seed) : DrawnJob.withMulticast(seed));
  }

  private static void moreChannels(Counts counts, DrawnJob job) {
    counts.begin(job);
    Random random = job.random();
    int few = 1 + random.nextInt(MOST_CHANNELS - 1);
    int many = few + 1 + random.nextInt(MOST_CHANNELS - few);
    Optional<JobResult> less = job.with("NCCL_MAX_NCHANNELS=" + few).result();
    Optional<JobResult> more = job.with("NCCL_MAX_NCHANNELS=" + many).result();
    if (less.isEmpty() || more.isEmpty()) {
      counts.other("refused");
      return;
    }
    for (CollectiveCall call : calls(random)) {
      for (Pair pair : pairs()) {
        Optional<Run> slow = Run.of(less.get(), call, pair);
        Optional<Run> fast = Run.of(more.get(), call, pair);
        if (slow.isPresent() && fast.isPresent()) {
          moreChannels(counts, slow.get(), fast.get());
        }
      }
    }
  }

  private static void moreChannels(Counts counts, Run less, Run more) {
    if (more.prediction().channels() <= less.prediction().channels()) {
      return;
    }
    boolean isSlower = isLonger(more.timeUs(), less.timeUs());
    Optional<String> reason = isSlower ? ofNccl(less, more) : Optional.empty();
    reason.ifPresent(counts::other);
    if (reason.isEmpty()) {
      counts.check(less.words() + ", then " + more.words(), !isSlower);
    }
  }

  /** What NCCL itself does with more channels that makes a call slower. */
  private static Optional<String> ofNccl(Run less, Run more) {
    if (more.hasMoreOnOnePart(less)) {
      return Optional.of(UNEVEN);
    }
    double fillUs = more.estimate().fillUs() - less.estimate().fillUs();
    if (more.isPipeline() && !isLonger(more.timeUs() - fillUs, less.timeUs())) {
      return Optional.of(FILL);
    }
    double stepsUs = more.estimate().stepsUs() - less.estimate().stepsUs();
    if (more.chunkBytes() < less.chunkBytes()
        && !isLonger(more.timeUs() - stepsUs, less.timeUs())) {
      return Optional.of(SMALLER_CHUNKS);
    }
    boolean sendsSmall =
        more.betweenNodes().isPresent() && more.prediction().protocol() != Protocol.SIMPLE;
    return sendsSmall && !isLonger(more.timeUs() - stepsUs, less.timeUs())
        ? Optional.of(MESSAGES)
        : Optional.empty();
  }

  private static boolean isLonger(double time, double other) {
    return time > other * (1 + TOLERANCE);
  }

  private static void moreBytes(Counts counts, DrawnJob job) {
    counts.begin(job);
    Optional<JobResult> result =
        job.with("NCCL_NVLS_CHUNKSIZE=" + (1 << 9 + job.random().nextInt(12))).result();
    for (Pair pair : result.isPresent() ? pairs() : List.<Pair>of()) {
      Optional<Run> before = Optional.empty();
      for (long bytes = 1 << 10; bytes <= 1L << 33; bytes += bytes / 4) {
        Optional<Run> now =
            Run.of(result.get(), CollectiveCall.of(Collective.ALL_REDUCE, bytes), pair);
        if (before.isPresent() && now.isPresent()) {
          moreBytes(counts, before.get(), now.get());
        }
        before = now;
      }
    }
  }

  private static void moreBytes(Counts counts, Run before, Run now) {
    boolean isFaster = isLonger(before.timeUs(), now.timeUs());
    if (before.prediction().channels() != now.prediction().channels()) {
      return;
    }
    if (isFaster && now.chunkBytes() > before.chunkBytes()) {
      counts.other(LARGER_CHUNKS);
      return;
    }
    counts.check(before.words() + ", then " + now.words(), !isFaster);
  }

  private static void smallestChunks(Counts counts, DrawnJob job) {
    counts.begin(job);
    Optional<JobResult> usual = job.result();
    Optional<JobResult> smallest = job.with("NCCL_NVLS_CHUNKSIZE=512").result();
    if (usual.isEmpty() || smallest.isEmpty()) {
      counts.other("refused");
      return;
    }
    for (CollectiveCall call : calls(job.random())) {
      for (Algorithm algorithm : List.of(Algorithm.NVLS, Algorithm.NVLS_TREE)) {
        Pair pair = new Pair(algorithm, Protocol.SIMPLE);
        Optional<Run> before = Run.of(usual.get(), call, pair);
        Optional<Run> after = Run.of(smallest.get(), call, pair);
        if (before.isPresent() && after.isPresent()) {
          counts.check(
              before.get().words() + ", then " + after.get().words(),
              !isLonger(before.get().timeUs(), after.get().timeUs()));
        }
      }
    }
  }

  private static List<Pair> pairs() {
    return Stream.of(Algorithm.values())
        .flatMap(algorithm -> Stream.of(Protocol.values()).map(p -> new Pair(algorithm, p)))
        .toList();
  }

  /** A small, two middle and a large call of each collective, and large ones of AllReduce. */
  private static List<CollectiveCall> calls(Random random) {
    Stream<CollectiveCall> ofEach =
        LongStream.of(8, 14, 20, 26)
            .map(bits -> 1L << bits + random.nextInt(6))
            .boxed()
            .flatMap(
                size -> Stream.of(Collective.values()).map(one -> CollectiveCall.of(one, size)));
    Stream<CollectiveCall> large =
        LongStream.rangeClosed(20, 32)
            .mapToObj(bits -> CollectiveCall.of(Collective.ALL_REDUCE, 1L << bits));
    return Stream.concat(ofEach, large).toList();
  }
}
