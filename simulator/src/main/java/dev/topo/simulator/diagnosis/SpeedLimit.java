package dev.topo.simulator.diagnosis;

import dev.topo.inspect.measured.MeasuredOperation;
import dev.topo.model.Last;
import dev.topo.model.Quantiles;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.search.bound.JobBounds;
import dev.topo.search.bound.OperationBound;
import dev.topo.search.bound.OperationBound.LinkScope;
import dev.topo.search.connect.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Finds measurements that are faster than the links of a job allow, or far faster than the
 * predicted range. Such measurements come from another job than the stated one.
 */
final class SpeedLimit {
  /** Factor for clocks and rounding, by which measured times may be shorter than the links need. */
  private static final double TOLERANCE = 1.02;

  /**
   * Calls that are faster than predicted by more than this many standard deviations are not of this
   * job; {@link FitDecision} has the same limit for slow ones.
   */
  private static final double HEALTHY_SIGMAS = 3.3;

  /** Largest factor by which a healthy node is faster than predicted. */
  private static final double FASTEST_NODE = 1.3;

  /** The same for a network. */
  private static final double FASTEST_NETWORK = 2;

  /**
   * Tolerance, in logarithms, for the comparison of a factor between times with the ratio of busbw
   * to algbw.
   */
  private static final double RATIO_TOLERANCE = 0.15;

  private static final long LARGE = 1 << 24;
  private static final int SEVERAL = 2;

  private final List<MeasuredOperation> measurements;
  private final Fit healthy;
  private final Connection connection;
  private final JobBounds bounds;

  SpeedLimit(List<MeasuredOperation> measurements, Fit healthy, Connection connection) {
    this.measurements = List.copyOf(measurements);
    this.healthy = healthy;
    this.connection = connection;
    this.bounds = new JobBounds(connection, LinkScope.PATHS);
  }

  /** The cause of the excessive speed, with evidence and checks; empty if the speed is possible. */
  Optional<Cause> exceeded() {
    List<Evidence> evidence = new ArrayList<>();
    List<Integer> impossible = indices(this::exceedsLinks);
    List<Integer> faster = indices(this::isFarFaster);
    boolean isImpossible = impossible.size() >= Math.min(SEVERAL, measurements.size());
    if (isImpossible) {
      evidence.add(evidence(impossible, "faster than the links of this machine carry"));
    } else if (faster.size() < Math.max(SEVERAL, measurements.size() / 4)) {
      return Optional.empty();
    }
    if (!faster.isEmpty()) {
      evidence.add(evidence(faster, "faster than any range of the prediction"));
    }
    mixedColumns().ifPresent(evidence::add);
    return Optional.of(
        new Cause(
            CauseKind.TOO_FAST,
            isImpossible ? Certainty.LIKELY : Certainty.POSSIBLE,
            "machine file, nodes, NCCL release or columns are not those of the run",
            OptionalDouble.empty(),
            evidence,
            Confirmation.of(CauseKind.TOO_FAST)));
  }

  private List<Integer> indices(IntPredicate which) {
    return IntStream.range(0, measurements.size()).filter(which).boxed().toList();
  }

  private boolean exceedsLinks(int at) {
    MeasuredOperation call = measurements.get(at);
    return linkBoundUs(call).stream().anyMatch(least -> call.timeUs() * TOLERANCE < least);
  }

  private OptionalDouble linkBoundUs(MeasuredOperation call) {
    return linkBound(call).stream()
        .mapToDouble(bound -> bound.timeUs(call.sizeBytes()))
        .findFirst();
  }

  private boolean isFarFaster(int at) {
    double least = connection.nNodes() > 1 ? FASTEST_NETWORK : FASTEST_NODE;
    return healthy.residuals()[at]
        < -Math.max(HEALTHY_SIGMAS * healthy.spreads()[at], Math.log(least));
  }

  private Evidence evidence(List<Integer> at, String what) {
    int last = Last.of(at);
    MeasuredOperation call = measurements.get(last);
    return new Evidence(
        call.operation().ncclTestsName() + " " + QuantityFormat.size(call.sizeBytes()),
        TextWriter.format(
            "%d of %d sizes are %s: here %s GB/s busbw measured, %s expected%s",
            at.size(),
            measurements.size(),
            what,
            QuantityFormat.bandwidth(call.busbwGBps()),
            QuantityFormat.bandwidth(call.busbwGBps(healthy.timesUs()[last])),
            bound(call)));
  }

  /** Least time of a collective on the links; empty for sends and receives. */
  private Optional<OperationBound> linkBound(MeasuredOperation call) {
    return ForcedCall.of(call).collective().flatMap(bounds::bound);
  }

  private String bound(MeasuredOperation call) {
    return linkBound(call)
        .map(OperationBound::busbwGBps)
        .map(most -> ", at most " + QuantityFormat.bandwidth(most) + " by the links")
        .orElse("");
  }

  /**
   * Evidence that large calls are too fast by just the ratio of busbw to algbw: the columns may be
   * mixed up.
   */
  private Optional<Evidence> mixedColumns() {
    List<Double> deviations =
        IntStream.range(0, measurements.size())
            .filter(i -> measurements.get(i).sizeBytes() >= LARGE)
            .mapToObj(i -> healthy.residuals()[i] + Math.log(busbwFactor(measurements.get(i))))
            .map(Math::abs)
            .toList();
    return Optional.of(deviations)
        .filter(
            differences ->
                !differences.isEmpty() && Quantiles.median(differences) < RATIO_TOLERANCE)
        .filter(differences -> busbwFactor(measurements.get(0)) > FASTEST_NODE)
        .map(
            differences ->
                new Evidence(
                    "sizes from 16 MiB",
                    TextWriter.format(
                        "faster by %.2f, the ratio of busbw to algbw of %d ranks: busbw may be in the column of algbw",
                        busbwFactor(measurements.get(0)), measurements.get(0).nGpus())));
  }

  private static double busbwFactor(MeasuredOperation call) {
    return call.operation().busbwFactor(call.nGpus());
  }
}
