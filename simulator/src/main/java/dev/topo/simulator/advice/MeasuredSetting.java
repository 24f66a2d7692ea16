package dev.topo.simulator.advice;

import dev.topo.model.io.ResourceTable;
import java.util.List;

/**
 * A setting whose effect is not predicted, with the gains that were measured on two H200 for calls
 * of at least 1 MiB. Such settings are never advised.
 *
 * @param setting {@code NCCL_NTHREADS=256}
 * @param leastPercent smallest gain of a call; negative if it took longer
 * @param mostPercent largest gain of a call
 * @param meanPercent mean gain over all calls
 * @param calls number of calls
 */
public record MeasuredSetting(
    String setting, double leastPercent, double mostPercent, double meanPercent, int calls) {
  private static final String FILE = "settings.txt";
  private static final List<MeasuredSetting> ALL =
      ResourceTable.lines(MeasuredSetting.class, FILE).stream()
          .map(row -> parse(row.split(" +")))
          .toList();

  static List<MeasuredSetting> all() {
    return ALL;
  }

  private static MeasuredSetting parse(String[] cells) {
    return new MeasuredSetting(
        cells[0],
        Double.parseDouble(cells[1]),
        Double.parseDouble(cells[2]),
        Double.parseDouble(cells[3]),
        Integer.parseInt(cells[4]));
  }
}
