package dev.topo.simulator.network;

import dev.topo.model.io.ResourceTable;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.calibration.NamedValue;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The calls of which times between nodes are published, by the network that comes with topo: only
 * of these operations, and of no more nodes, is it known how far predictions are off
 * (docs/accuracy.md).
 */
public final class PublishedOperations {
  private static final String FILE = "published-operations.properties";

  /** Follows the name of a network whose largest number of nodes a line has. */
  private static final String NODES = ".nodes";

  private static final Map<String, NamedValue> LINES =
      NamedValue.read(ResourceTable.text(PublishedOperations.class, FILE), FILE);

  private static final Map<String, Set<Operation>> TABLE =
      LINES.values().stream()
          .filter(line -> !line.name().endsWith(NODES))
          .collect(Collectors.toUnmodifiableMap(NamedValue::name, PublishedOperations::operations));

  private PublishedOperations() {}

  /** The operations of a network; none if the network is not known. */
  public static Set<Operation> of(String network) {
    return TABLE.getOrDefault(network, Set.of());
  }

  /** Whether times of a network are published. */
  public static boolean isKnown(String network) {
    return TABLE.containsKey(network);
  }

  /** The nodes of the largest job of a network; 0 if the network is not known. */
  public static int mostNodes(String network) {
    NamedValue line = LINES.get(network + NODES);
    return line == null ? 0 : (int) line.number();
  }

  private static Set<Operation> operations(NamedValue line) {
    return Arrays.stream(line.value().split(" "))
        .map(name -> Operation.ofName(name).orElseThrow(() -> line.expected("operations")))
        .collect(Collectors.toUnmodifiableSet());
  }
}
