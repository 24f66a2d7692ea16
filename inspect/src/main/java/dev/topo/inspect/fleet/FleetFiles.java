package dev.topo.inspect.fleet;

import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The files of a fleet: those named, and every {@code *.xml} in the named folders, in upper or
 * lower case.
 */
public final class FleetFiles {
  private FleetFiles() {}

  /** Files as named, those of a folder by name in the place of the folder, each once. */
  public static List<Path> of(List<Path> paths) {
    List<Path> files = new ArrayList<>();
    for (Path path : paths) {
      if (!Files.isDirectory(path)) {
        files.add(path);
        continue;
      }
      try (Stream<Path> below = Files.walk(path)) {
        below.filter(file -> isXml(file) && Files.isRegularFile(file)).sorted().forEach(files::add);
      } catch (IOException | UncheckedIOException e) {
        throw new TopologyFormatException(
            SourceLocation.of(path.toString()), "cannot be read (" + e.getMessage() + ")", e);
      }
    }
    return files.stream().distinct().toList();
  }

  private static boolean isXml(Path file) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".xml");
  }
}
