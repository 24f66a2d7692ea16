package dev.topo.simulator.diagnosis;

import dev.topo.inspect.measured.Measurement;
import dev.topo.inspect.measured.PeerMeasurement;
import java.util.Optional;

/**
 * A call with its measured times.
 *
 * @param nGpus GPUs that took part
 * @param timeUs time out of place in microseconds
 * @param inPlaceTimeUs time in place
 */
record TimedCall(ForcedCall call, int nGpus, double timeUs, double inPlaceTimeUs) {
  /** A measured collective. */
  public static TimedCall of(Measurement one) {
    return new TimedCall(
        new ForcedCall(one.collective(), one.sizeBytes(), one.forced()),
        one.nGpus(),
        one.timeUs(),
        one.inPlaceTimeUs());
  }

  /** Measured sends and receives. */
  public static TimedCall of(PeerMeasurement one) {
    return new TimedCall(
        new ForcedCall(one.operation(), one.sizeBytes(), Optional.empty()),
        one.nGpus(),
        one.timeUs(),
        one.inPlaceTimeUs());
  }

  /** Size as nccl-tests counts it. */
  public long sizeBytes() {
    return call.sizeBytes();
  }

  /** nccl-tests' busbw in GB/s of a time of this call. */
  double busbwGBps(double us) {
    return call.operation().busbwGBps(sizeBytes(), us, nGpus);
  }

  /** The measured busbw out of place. */
  double busbwGBps() {
    return busbwGBps(timeUs);
  }
}
