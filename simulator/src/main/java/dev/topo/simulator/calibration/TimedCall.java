package dev.topo.simulator.calibration;

import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;

/**
 * A call with its predicted time, as far as the error of that time resembles those of other calls.
 *
 * @param operation the operation
 * @param launch what NCCL runs, as in {@code Ring/LL128}
 * @param nodes number of nodes
 * @param ranks number of ranks
 * @param bytes size as nccl-tests counts it
 * @param predictedUs time that the model predicts without measurements of the machine
 * @param parts the parts of that time
 */
public record TimedCall(
    Operation operation,
    String launch,
    int nodes,
    int ranks,
    long bytes,
    double predictedUs,
    Parts parts) {
  /**
   * Parts of a predicted time, each from 0 to 1: by how much of a percent the time changes if what
   * determines the part takes a percent longer.
   *
   * @param launch launches of kernels
   * @param latency start of the kernels and waiting for neighbours
   * @param transfer moving the data
   */
  public record Parts(double launch, double latency, double transfer) {
    public Parts {
      if (!isPart(launch) || !isPart(latency) || !isPart(transfer)) {
        throw new IllegalArgumentException(
            launch + ", " + latency + ", " + transfer + ": expected parts from 0 to 1");
      }
    }

    private static boolean isPart(double part) {
      return part >= 0 && part <= 1;
    }
  }

  public TimedCall {
    if (nodes < 1 || ranks < nodes || bytes < 1 || !(predictedUs > 0)) {
      throw new IllegalArgumentException(
          "%s nodes, %s ranks, %s bytes, %s us: expected 1 or more, and a time above 0"
              .formatted(nodes, ranks, bytes, predictedUs));
    }
  }

  /** The operation, the launch and the job: their times differ in size only. */
  public String series() {
    return "%s %s, %s"
        .formatted(
            operation.label(),
            launch,
            nodes == 1
                ? QuantityFormat.count(ranks, "GPU")
                : "%s ranks of %s nodes".formatted(ranks, nodes));
  }

  /** True if the call is made of sends and receives. */
  boolean isOfPeers() {
    return operation instanceof PeerOperation;
  }

  /** True for the same operation of the same ranks. */
  boolean isSameJob(TimedCall other) {
    return operation.equals(other.operation) && nodes == other.nodes && ranks == other.ranks;
  }

  /**
   * A call with its measured time.
   *
   * @param timeUs measured time out of place, in microseconds
   */
  public record MeasuredCall(TimedCall call, double timeUs) {
    public MeasuredCall {
      if (!(timeUs > 0) || !Double.isFinite(timeUs)) {
        throw new IllegalArgumentException(timeUs + " us: expected a time above 0");
      }
    }

    /** Logarithm of measured by predicted time. */
    double error() {
      return Math.log(timeUs / call.predictedUs);
    }

    /**
     * Error of the prediction, relative to the shorter of the two times.
     *
     * @param factor factor on the predicted time
     */
    public double off(double factor) {
      return Math.expm1(Math.abs(error() - Math.log(factor)));
    }
  }
}
