package dev.topo.inspect.difference;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Dumps of a fleet as they are found on disk: equal nodes, each with a host hash and card ids of
 * its own and every third with other bus ids, and three odd ones among them.
 */
public final class FleetFolder {
  private static final int SLOW_PORT = 137;
  private static final int FEWER_LINKS = 402;
  private static final int NO_PORT = 776;

  private FleetFolder() {}

  /** Writes the dumps of {@code nodes} nodes of a DGX H100 to a folder. */
  public static void write(Path folder, Path dgxH100, int nodes) throws IOException {
    String dump = Files.readString(dgxH100);
    for (int node = 0; node < nodes; node++) {
      Files.writeString(
          folder.resolve(String.format(Locale.ROOT, "node-%04d.xml", node)), dump(dump, node));
    }
  }

  private static String dump(String dump, int node) {
    String text =
        switch (node) {
          case SLOW_PORT ->
              dump.replace(
                  "dev=\"3\" latency=\"0\" speed=\"400000\"",
                  "dev=\"3\" latency=\"0\" speed=\"200000\"");
          case FEWER_LINKS -> dump.replaceFirst("count=\"18\"", "count=\"12\"");
          case NO_PORT -> dump.replaceFirst("(?s)      <pci busid=\"0000:42:00.0\".*?</pci>\n", "");
          default -> dump;
        };
    if (node % 3 == 2) {
      text = text.replace("\"0000:", "\"0001:");
    }
    return text.replace(
            "host_hash=\"0x1\"", String.format(Locale.ROOT, "host_hash=\"0x%x\"", 9000 + node))
        .replace("\"0x9403f0", String.format(Locale.ROOT, "\"0x9403%02x", node % 256));
  }
}
