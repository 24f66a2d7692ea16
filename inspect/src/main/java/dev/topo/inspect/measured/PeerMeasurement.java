package dev.topo.inspect.measured;

import dev.topo.model.operation.PeerOperation;

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
    int nGpus, PeerOperation operation, long sizeBytes, double timeUs, double inPlaceTimeUs) {
  public PeerMeasurement {
    Measurement.checkTimes(nGpus, sizeBytes, timeUs, inPlaceTimeUs);
  }

  public double timeUs(boolean inPlace) {
    return inPlace ? inPlaceTimeUs : timeUs;
  }

  /**
   * Checks that a stated busbw matches the time.
   *
   * @throws IllegalArgumentException if it is off by more than rounding
   */
  void checkBusbw(double gbps, boolean inPlace) {
    Measurement.checkBusbw(operation, nGpus, sizeBytes, timeUs(inPlace), gbps);
  }

  /** nccl-tests' busbw out of place, in GB/s. */
  public double busbwGBps() {
    return operation.busbwGBps(sizeBytes, timeUs, nGpus);
  }
}
