package dev.topo.simulator.advice;

import dev.topo.model.io.ResourceTable;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The error that 90 of 100 predicted gains do not exceed, for a combination of levers and a range
 * of sizes. The error of a gain is smaller than that of a time, as common errors of both times
 * cancel.
 *
 * @param basis the levers, as {@link Alternative#basis}
 * @param fromBytes smallest size; the entry holds up to the next one
 * @param part relative difference between the measured and the predicted ratio of times
 * @param ratios number of ratios behind the entry; none is of a size to which a constant was fitted
 */
record KnownGain(String basis, long fromBytes, double part, int ratios) {
  /** The calibration with which gains were predicted. */
  public static final String CALIBRATION = "h200-nvswitch";

  /** The NCCL release of the measurements. */
  public static final String NCCL = "2.28.9";

  /** The number of GPUs of the measurements. */
  public static final int MEASURED_GPUS = 2;

  private static final String FILE = "gains.txt";
  private static final List<KnownGain> TABLE =
      ResourceTable.lines(KnownGain.class, FILE).stream()
          .map(row -> parse(row.split(" +")))
          .toList();

  /** Finds the entry for levers and a size; empty if there is none. */
  static Optional<KnownGain> of(String basis, long bytes) {
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
