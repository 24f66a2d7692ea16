package dev.topo.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The machines of the project in memory, so that no benchmark measures the disk. */
final class Machines {
  private Machines() {}

  /** Topology files by name, from the folder that the property {@code topo.topologies} names. */
  static Map<String, byte[]> all() {
    Path folder = Path.of(System.getProperty("topo.topologies", "topologies"));
    Map<String, byte[]> machines = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".xml")).toList()) {
        machines.put(file.getFileName().toString(), Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return machines;
  }
}
