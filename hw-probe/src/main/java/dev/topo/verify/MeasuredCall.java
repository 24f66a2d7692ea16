package dev.topo.verify;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.run.bench.Row;
import java.util.OptionalDouble;

/**
 * A size of a collective as it was measured.
 *
 * @param forced whether algorithm and protocol were forced; else NCCL chose them
 * @param predictedUs what is predicted out of place, where the machine has a calibration
 */
public record MeasuredCall(
    Collective collective,
    Algorithm algorithm,
    Protocol protocol,
    int channels,
    boolean forced,
    Row row,
    double modelUs,
    OptionalDouble predictedUs) {
  public double timeUs() {
    return Math.min(row.outOfPlace().timeUs(), row.inPlace().timeUs());
  }
}
