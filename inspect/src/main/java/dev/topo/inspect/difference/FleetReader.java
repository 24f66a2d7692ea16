package dev.topo.inspect.difference;

import dev.topo.model.io.FileFault;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.OrderedWork;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Reads the files of a fleet in parallel and keeps only the form of each, so that thousands fit in
 * memory. The answer does not depend on the number of threads.
 */
public final class FleetReader {
  private FleetReader() {}

  /** The folder of a fleet, if one path only is named. */
  public static Optional<Path> folder(List<Path> paths) {
    return paths.size() == 1 ? Optional.of(paths.get(0)) : Optional.empty();
  }

  /**
   * Distinct files: the named files, and for a folder those in it that fulfil a condition, sorted
   * by name. Those of a fleet are {@linkplain #isXml topologies}.
   *
   * @param inputs registers the files as opened, so that no output replaces one
   */
  public static List<Path> files(List<Path> paths, Inputs inputs, Predicate<Path> isWanted) {
    List<Path> files = new ArrayList<>();
    for (Path path : paths) {
      if (!Files.isDirectory(path)) {
        files.add(path);
        continue;
      }
      try (Stream<Path> below = Files.walk(path)) {
        below.filter(file -> isWanted.test(file) && isFile(file)).sorted().forEach(files::add);
      } catch (UncheckedIOException e) {
        throw unreadable(path, Objects.requireNonNull(e.getCause()));
      } catch (IOException e) {
        throw unreadable(path, e);
      }
    }
    for (Path file : files) {
      try {
        inputs.add(file);
      } catch (IOException e) {
        throw unreadable(file, e);
      }
    }
    return files.stream().distinct().toList();
  }

  private static TopologyFormatException unreadable(Path folder, IOException e) {
    String file =
        e instanceof FileSystemException fault && fault.getFile() != null
            ? fault.getFile()
            : folder.toString();
    return new TopologyFormatException(file, "cannot be read (" + FileFault.text(e) + ")", e);
  }

  /** True for a regular file; files that cannot be examined are reported when they are read. */
  private static boolean isFile(Path file) {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).isRegularFile();
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** True for {@code *.xml} and {@code *.xml.gz} files, in upper or lower case. */
  public static boolean isXml(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".xml") || name.endsWith(".xml.gz");
  }

  public static boolean hasPorts(XmlElement element) {
    return element.name().equals("net")
        || element.elements().stream().anyMatch(FleetReader::hasPorts);
  }

  /** Result of reading a file: its form, or an error message. */
  private record Outcome(Path file, Optional<CanonicalForm> form, String message) {}

  /**
   * Reads files and groups them.
   *
   * @param inputs reads them
   * @param done receives each file that was read, on any thread
   */
  public static Fleet read(List<Path> files, Inputs inputs, Consumer<Path> done) {
    List<Outcome> outcomes = new ArrayList<>();
    OrderedWork.run(
        files.iterator(),
        file -> {
          Outcome outcome = read(file, inputs);
          done.accept(file);
          return outcome;
        },
        outcomes::add);
    Map<CanonicalForm, List<Path>> byForm = new LinkedHashMap<>();
    List<Fleet.Unreadable> unreadable = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      if (outcome.form.isPresent()) {
        byForm.computeIfAbsent(outcome.form.get(), form -> new ArrayList<>()).add(outcome.file);
      } else {
        unreadable.add(new Fleet.Unreadable(outcome.file, outcome.message));
      }
    }
    // The sort is stable: groups of equal size stay in the order of their first files.
    List<Fleet.Group> groups =
        byForm.values().stream()
            .map(Fleet.Group::new)
            .sorted(Comparator.comparingInt(group -> -group.files().size()))
            .toList();
    return new Fleet(groups, unreadable);
  }

  private static Outcome read(Path file, Inputs inputs) {
    try {
      XmlElement system = new XmlReader().readUnpacked(file, inputs).root();
      return new Outcome(file, Optional.of(CanonicalForm.of(system)), "");
    } catch (TopologyFormatException e) {
      return new Outcome(file, Optional.empty(), String.valueOf(e.getMessage()));
    }
  }
}
