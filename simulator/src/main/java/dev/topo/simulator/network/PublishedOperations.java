package dev.topo.simulator.network;

import dev.topo.model.io.ResourceTable;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.calibration.NamedValue;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The operations of which times between nodes are published, by the network that comes with topo:
 * only of these is it known how far predictions are off (docs/accuracy-network.md).
 */
public final class PublishedOperations {
  private static final String FILE = "published-operations.properties";
  private static final Map<String, Set<Operation>> TABLE =
      NamedValue.read(ResourceTable.text(PublishedOperations.class, FILE), FILE).values().stream()
          .collect(Collectors.toUnmodifiableMap(NamedValue::name, PublishedOperations::operations));

  private PublishedOperations() {}

  /** The operations of a network; none if the network is not known. */
  public static Set<Operation> of(String network) {
    return TABLE.getOrDefault(network, Set.of());
  }

  private static Set<Operation> operations(NamedValue line) {
    return Arrays.stream(line.value().split(" "))
        .map(name -> Operation.ofName(name).orElseThrow(() -> line.expected("operations")))
        .collect(Collectors.toUnmodifiableSet());
  }
}
