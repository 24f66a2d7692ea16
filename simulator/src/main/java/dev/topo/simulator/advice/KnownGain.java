package dev.topo.simulator.advice;

import dev.topo.model.io.ResourceTable;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The error that 90 of 100 predicted gains do not exceed, for some levers and sizes from one on.
 * The error of a gain is less than that of a time: what both times have in common is not in it.
 *
 * @param basis the levers, as {@link Alternative#basis}
 * @param fromBytes from which size on, up to the next entry
 * @param part the part by which the measured or the predicted ratio is the larger one
 * @param ratios number of ratios that it is computed from; none of a size that a constant was
 *     fitted to
 */
record KnownGain(String basis, long fromBytes, double part, int ratios) {
  /** Of which calibration the table is. */
  public static final String CALIBRATION = "h200-nvswitch";

  /** With which NCCL it was measured. */
  public static final String NCCL = "2.28.9";

  /** On how many GPUs it was measured. */
  public static final int MEASURED_GPUS = 2;

  private static final String FILE = "gains.txt";
  private static final List<KnownGain> TABLE =
      ResourceTable.lines(KnownGain.class, FILE).stream()
          .map(row -> parse(row.split(" +")))
          .toList();

  public static List<KnownGain> all() {
    return TABLE;
  }

  /** The entry for a size; empty if none is known. */
  public static Optional<KnownGain> of(String basis, long bytes) {
    return TABLE.stream()
        .filter(gain -> gain.basis.equals(basis) && gain.fromBytes <= bytes)
        .max(Comparator.comparingLong(KnownGain::fromBytes));
  }

  private static KnownGain parse(String[] cells) {
    return new KnownGain(
        cells[0],
        Long.parseLong(cells[1]),
        Double.parseDouble(cells[2]),
        Integer.parseInt(cells[3]));
  }
}
