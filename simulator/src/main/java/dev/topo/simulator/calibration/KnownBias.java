package dev.topo.simulator.calibration;

import dev.topo.model.io.ResourceTable;
import dev.topo.model.operation.Protocol;
import java.util.List;
import java.util.Optional;

/**
 * The factor by which AllReduce by rings takes longer than the timing model gives on more GPUs than
 * were measured: the median of published rows. Of other collectives none is known.
 *
 * @param calibration name of the calibration
 * @param protocol the protocol of the calls
 * @param fromBytes from which size on
 * @param belowBytes up to which size; not known for larger ones
 * @param factor how many times longer their kernels take
 * @param rows number of published rows that it is the median of
 */
public record KnownBias(
    String calibration,
    Protocol protocol,
    long fromBytes,
    long belowBytes,
    double factor,
    int rows) {
  private static final List<KnownBias> TABLE =
      ResourceTable.lines(KnownBias.class, "biases.txt").stream().map(KnownBias::parse).toList();

  public static List<KnownBias> all() {
    return TABLE;
  }

  /** The bias of calls of a size; empty if none is known. */
  public static Optional<KnownBias> of(String calibration, Protocol protocol, long bytes) {
    return TABLE.stream()
        .filter(bias -> bias.calibration.equals(calibration) && bias.protocol == protocol)
        .filter(bias -> bias.fromBytes <= bytes && bytes < bias.belowBytes)
        .findFirst();
  }

  private static KnownBias parse(String line) {
    String[] cells = line.split(" +", -1);
    return new KnownBias(
        cells[0],
        Protocol.ofLabel(cells[1]).orElseThrow(),
        Long.parseLong(cells[2]),
        Long.parseLong(cells[3]),
        Double.parseDouble(cells[4]),
        Integer.parseInt(cells[5]));
  }
}
