package dev.topo.simulator.network;

import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.calibration.NamedValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Error of a fitted network calibration, and the calls on which it was measured. It does not apply
 * to other operations, numbers of nodes or sizes.
 *
 * @param part error that 90 % of the times outside the fit do not exceed, relative to the shorter
 *     of measured and predicted time
 * @param measured nodes and sizes of those times, by operation
 */
public record NetworkSpread(double part, Map<Operation, Extent> measured) {
  /** Prefix of an operation's name in a file. */
  static final String LINE = "spread.";

  private static final Pattern EXTENT =
      Pattern.compile("(\\d{1,6})-(\\d{1,6}) nodes, (\\d{1,15})-(\\d{1,15}) bytes");

  /**
   * Measured calls of an operation.
   *
   * @param fewestNodes the smallest number of nodes
   * @param mostNodes the largest number of nodes
   * @param fewestBytes the smallest size, as nccl-tests counts it
   * @param mostBytes the largest size
   */
  public record Extent(int fewestNodes, int mostNodes, long fewestBytes, long mostBytes) {
    public Extent and(Extent other) {
      return new Extent(
          Math.min(fewestNodes, other.fewestNodes),
          Math.max(mostNodes, other.mostNodes),
          Math.min(fewestBytes, other.fewestBytes),
          Math.max(mostBytes, other.mostBytes));
    }

    boolean holds(int nodes, long bytes) {
      return nodes >= fewestNodes
          && nodes <= mostNodes
          && bytes >= fewestBytes
          && bytes <= mostBytes;
    }

    String line() {
      return "%s-%s nodes, %s-%s bytes".formatted(fewestNodes, mostNodes, fewestBytes, mostBytes);
    }

    private String text() {
      return (fewestNodes == mostNodes ? "" : fewestNodes + " to ")
          + mostNodes
          + " nodes, "
          + QuantityFormat.size(fewestBytes)
          + " to "
          + QuantityFormat.size(mostBytes);
    }
  }

  public NetworkSpread {
    measured = Collections.unmodifiableMap(new LinkedHashMap<>(measured));
  }

  /** Error of the predicted time of a call; empty outside the measured nodes and sizes. */
  public OptionalDouble of(Operation operation, int nodes, long bytes) {
    Extent extent = measured.get(operation);
    return extent != null && extent.holds(nodes, bytes)
        ? OptionalDouble.of(part)
        : OptionalDouble.empty();
  }

  /** Measured calls in words: {@code AllReduce (2 to 4 nodes, 1 MiB to 1 GiB)}. */
  public String label() {
    return QuantityFormat.joined(
        ", ",
        measured.entrySet(),
        entry -> "%s (%s)".formatted(entry.getKey().label(), entry.getValue().text()));
  }

  static Operation operation(NamedValue line) {
    return Operation.ofName(line.name().substring(LINE.length()))
        .orElseThrow(() -> line.wrong("no operation is called " + line.name()));
  }

  static Extent extent(NamedValue line) {
    Matcher cells = EXTENT.matcher(line.value());
    if (!cells.matches()) {
      throw line.expected("the measured calls as in 2-4 nodes, 1048576-1073741824 bytes");
    }
    return new Extent(
        Integer.parseInt(cells.group(1)),
        Integer.parseInt(cells.group(2)),
        Long.parseLong(cells.group(3)),
        Long.parseLong(cells.group(4)));
  }
}
