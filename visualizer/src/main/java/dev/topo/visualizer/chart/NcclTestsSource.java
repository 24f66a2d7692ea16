package dev.topo.visualizer.chart;

import dev.topo.model.collective.Collective;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.simulator.calibration.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What nccl-tests and {@code topo run} print: the lines of the ranks say how many GPUs there are,
 * {@code Collective test starting} names the collective, a row has size, count, type, operation,
 * root, and time, algbw, busbw, #wrong twice. Sends and receives are passed over.
 */
public final class NcclTestsSource implements MeasurementSource {
  private static final Pattern STARTING =
      Pattern.compile("# Collective test starting: (\\w+)_perf.*");
  private static final Pattern RANK = Pattern.compile("#\\s+Rank\\s+\\d+ .*");
  private static final int COLUMNS = 13;
  private static final int TIME = 5;
  private static final int IN_PLACE_TIME = 9;

  @Override
  public boolean accepts(String text) {
    return text.lines().anyMatch(line -> STARTING.matcher(line.strip()).matches());
  }

  @Override
  public List<Measurement> read(String text, String file) {
    List<Measurement> measurements = new ArrayList<>();
    Optional<Collective> collective = Optional.empty();
    int ranks = 0;
    int number = 0;
    for (String raw : text.lines().toList()) {
      number++;
      String line = raw.strip();
      Matcher starting = STARTING.matcher(line);
      if (starting.matches()) {
        collective = Collective.ofLabel(starting.group(1).replace("_", ""));
        ranks = 0;
      } else if (RANK.matcher(line).matches()) {
        ranks++;
      } else if (!line.isEmpty() && Character.isDigit(line.charAt(0)) && collective.isPresent()) {
        measurements.add(row(line, ranks, collective.get(), new SourceLocation(file, number, 1)));
      }
    }
    return measurements;
  }

  private static Measurement row(String line, int ranks, Collective collective, SourceLocation at) {
    String[] cells = line.split("\\s+", -1);
    try {
      if (cells.length == COLUMNS) {
        return new Measurement(
            ranks,
            collective,
            Optional.empty(),
            OptionalInt.empty(),
            Long.parseLong(cells[0]),
            Double.parseDouble(cells[TIME]),
            Double.parseDouble(cells[IN_PLACE_TIME]));
      }
    } catch (IllegalArgumentException e) {
      throw new TopologyFormatException(at, "a row of nccl-tests with " + e.getMessage());
    }
    throw new TopologyFormatException(
        at, cells.length + " columns, expected the " + COLUMNS + " of nccl-tests");
  }
}
