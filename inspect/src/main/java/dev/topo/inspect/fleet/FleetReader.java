package dev.topo.inspect.fleet;

import dev.topo.inspect.compare.CanonicalForm;
import dev.topo.model.diagnostic.OpenedFiles;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.xml.XmlElement;
import dev.topo.model.xml.XmlReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Reads the files of a fleet, several at once, and keeps of each only its form, so that thousands
 * need no memory. The answer does not depend on how many are read at once.
 */
public final class FleetReader {
  private FleetReader() {}

  /**
   * The files of a fleet: those named, and in the place of a folder every {@code *.xml} in it, in
   * upper or lower case, by name; each once. They count as opened: the threads that read them are
   * not the command's.
   */
  public static List<Path> files(List<Path> paths) {
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
    files.forEach(OpenedFiles::add);
    return files.stream().distinct().toList();
  }

  private static boolean isXml(Path file) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".xml");
  }

  /** What became of one file: its form, or a message. */
  private record Outcome(Path file, Optional<CanonicalForm> form, String message) {}

  /**
   * Reads files and groups them.
   *
   * @param done hears of each file that is read, on any thread
   */
  public static Fleet read(List<Path> files, Consumer<Path> done) {
    List<Outcome> outcomes =
        files.parallelStream()
            .map(
                file -> {
                  Outcome outcome = read(file);
                  done.accept(file);
                  return outcome;
                })
            .toList();
    Map<CanonicalForm, List<Path>> byForm = new LinkedHashMap<>();
    List<Fleet.Unreadable> unreadable = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      if (outcome.form.isPresent()) {
        byForm.computeIfAbsent(outcome.form.get(), form -> new ArrayList<>()).add(outcome.file);
      } else {
        unreadable.add(new Fleet.Unreadable(outcome.file, outcome.message));
      }
    }
    List<Fleet.Group> groups = new ArrayList<>();
    byForm.forEach((form, of) -> groups.add(new Fleet.Group(form, of)));
    // The sort is stable: groups of one size stay in the order of their first files.
    groups.sort(Comparator.comparingInt(group -> -group.files().size()));
    return new Fleet(groups, unreadable);
  }

  private static Outcome read(Path file) {
    try {
      XmlElement system = new XmlReader().read(file).root();
      return new Outcome(file, Optional.of(CanonicalForm.of(system)), "");
    } catch (TopologyFormatException e) {
      return new Outcome(file, Optional.empty(), String.valueOf(e.getMessage()));
    }
  }
}
