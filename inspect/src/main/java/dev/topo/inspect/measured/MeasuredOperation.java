package dev.topo.inspect.measured;

import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Operation;
import java.util.Optional;

/** Times of an operation of one size on real GPUs, in microseconds. */
public sealed interface MeasuredOperation permits Measurement, PeerMeasurement {
  int nGpus();

  Operation operation();

  /** Algorithm and protocol that NCCL was forced to use; empty for its own choice. */
  Optional<Pair> forced();

  /** Size as nccl-tests counts it. */
  long sizeBytes();

  /** Time out of place. */
  double timeUs();

  double inPlaceTimeUs();

  default double timeUs(boolean inPlace) {
    return inPlace ? inPlaceTimeUs() : timeUs();
  }

  /** nccl-tests' busbw out of place, in GB/s. */
  default double busbwGBps() {
    return busbwGBps(false);
  }

  /** nccl-tests' busbw, in GB/s. */
  default double busbwGBps(boolean inPlace) {
    return busbwGBps(timeUs(inPlace));
  }

  /** nccl-tests' busbw in GB/s for another time of this call. */
  default double busbwGBps(double us) {
    return operation().busbwGBps(sizeBytes(), us, nGpus());
  }
}
