package dev.topo.inspect.guest;

import dev.topo.model.Node.BusId;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Bus ids of devices on the host with those of the devices in the guest. */
public final class BusIdPairs {
  private static final String BUS_ID = "([0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]";

  private final Map<String, String> pairs = new LinkedHashMap<>();

  /** Pairs in the order of their addition, the host's bus id first. */
  public Map<String, String> map() {
    return Collections.unmodifiableMap(pairs);
  }

  /** Adds a pair of bus ids; returns false if they are malformed or the first one is not new. */
  public boolean add(String... ids) {
    return ids.length == 2
        && ids[0].matches(BUS_ID)
        && ids[1].matches(BUS_ID)
        && pairs.put(normal(ids[0]), normal(ids[1])) == null;
  }

  /**
   * Adds the pairs of a file, one per line.
   *
   * @throws TopologyFormatException if a line is not a pair
   */
  public void addFile(Path file, Inputs inputs) {
    List<String> lines = inputs.text(file, "two bus ids in each line").lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).replaceFirst("#.*", "").strip();
      if (!line.isEmpty() && !add(line.split("\\s+", -1))) {
        throw new TopologyFormatException(
            new SourceLocation(file.toString(), i + 1, 1),
            "'%s': expected two bus ids, of the host once for each device, as 0000:1b:00.0 0000:05:00.0"
                .formatted(line));
      }
    }
  }

  private static String normal(String busId) {
    return BusId.of(new BusId(busId).number()).text();
  }
}
