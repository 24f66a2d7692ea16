package dev.topo.inspect.measured;

import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.PeerOperation;
import java.util.Optional;

/**
 * Time of one operation made of sends and receives, of one size, on real GPUs.
 *
 * @param nGpus participating GPUs
 * @param operation the operation
 * @param sizeBytes size as nccl-tests counts it
 * @param timeUs time out of place in microseconds
 * @param inPlaceTimeUs time in place
 */
public record PeerMeasurement(
    int nGpus, PeerOperation operation, long sizeBytes, double timeUs, double inPlaceTimeUs)
    implements MeasuredOperation {
  public PeerMeasurement {
    Measurement.checkTimes(nGpus, sizeBytes, timeUs, inPlaceTimeUs);
  }

  @Override
  public Optional<Pair> forced() {
    return Optional.empty();
  }
}
