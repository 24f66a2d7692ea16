package dev.topo.probe.capture;

import dev.topo.probe.MachineProbe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A capture in a temporary folder; closing it deletes the folder. */
public record UnpackedCapture(Path folder) implements AutoCloseable {
  public MachineProbe probe() {
    return MachineProbe.ofCapture(folder);
  }

  @Override
  public void close() {
    try (Stream<Path> tree = Files.walk(folder)) {
      List<Path> innermostFirst = tree.sorted(Comparator.reverseOrder()).toList();
      for (Path path : innermostFirst) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
