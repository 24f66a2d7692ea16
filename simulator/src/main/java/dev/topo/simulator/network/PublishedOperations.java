package dev.topo.simulator.network;

import dev.topo.model.operation.Operation;
import dev.topo.simulator.calibration.NamedValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
  private static final Map<String, Set<Operation>> TABLE = read();

  private PublishedOperations() {}

  /** The operations of a network; none if the network is not known. */
  public static Set<Operation> of(String network) {
    return TABLE.getOrDefault(network, Set.of());
  }

  private static Map<String, Set<Operation>> read() {
    try (InputStream in = PublishedOperations.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + FILE);
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return NamedValue.read(text, FILE).values().stream()
          .collect(Collectors.toUnmodifiableMap(NamedValue::name, PublishedOperations::operations));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<Operation> operations(NamedValue line) {
    return Arrays.stream(line.value().split(" "))
        .map(name -> Operation.ofName(name).orElseThrow(() -> line.expected("operations")))
        .collect(Collectors.toUnmodifiableSet());
  }
}
