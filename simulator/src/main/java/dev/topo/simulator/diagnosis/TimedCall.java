package dev.topo.simulator.diagnosis;

import dev.topo.inspect.measured.Measurement;
import dev.topo.inspect.measured.PeerMeasurement;
import java.util.Optional;

/**
 * A call with its measured times.
 *
 * @param nGpus GPUs that took part
 * @param timeUs time out of place in microseconds
 * @param inPlaceTimeUs time in place in microseconds
 */
record TimedCall(ForcedCall call, int nGpus, double timeUs, double inPlaceTimeUs) {
  /** Creates the call of a measured collective. */
  static TimedCall of(Measurement measurement) {
    return new TimedCall(
        new ForcedCall(measurement.collective(), measurement.sizeBytes(), measurement.forced()),
        measurement.nGpus(),
        measurement.timeUs(),
        measurement.inPlaceTimeUs());
  }

  /** Creates the call of measured sends and receives. */
  static TimedCall of(PeerMeasurement measurement) {
    return new TimedCall(
        new ForcedCall(measurement.operation(), measurement.sizeBytes(), Optional.empty()),
        measurement.nGpus(),
        measurement.timeUs(),
        measurement.inPlaceTimeUs());
  }

  /** Size as nccl-tests counts it. */
  long sizeBytes() {
    return call.sizeBytes();
  }

  /** nccl-tests' busbw in GB/s for a time of this call. */
  double busbwGBps(double us) {
    return call.operation().busbwGBps(sizeBytes(), us, nGpus);
  }

  /** The measured busbw out of place. */
  double busbwGBps() {
    return busbwGBps(timeUs);
  }
}
