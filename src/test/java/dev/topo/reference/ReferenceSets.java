package dev.topo.reference;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Where the reference answers are: the sets of the project, and further ones in a folder beside it
 * that may be absent.
 */
final class ReferenceSets {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path OWN_RESOURCES = ROOT.resolve("src/test/resources/reference");
  private static final Path SHARED = Path.of(System.getProperty("topo.shared"));

  private ReferenceSets() {}

  /** A set that is part of the project. */
  static List<ReferenceCase> inProject(String set) {
    return cases(OWN_RESOURCES.resolve(set), folder -> folder.resolve("topo.xml"));
  }

  /** The folder of a set beside the project. */
  static Path shared(String folder) {
    return SHARED.resolve(folder);
  }

  /** A set beside the project; none if the folder is absent, which is printed. */
  static List<ReferenceCase> beside(String set, Function<Path, Path> topologyOf) {
    Path folder = SHARED.resolve("reference").resolve(set);
    if (!Files.isDirectory(folder)) {
      System.out.println("NOT RUN: " + set + " (no folder " + set + " under ../shared/reference)");
      return List.of();
    }
    return cases(folder, topologyOf);
  }

  private static List<ReferenceCase> cases(Path set, Function<Path, Path> topologyOf) {
    try (Stream<Path> folders = Files.list(set)) {
      return folders
          .filter(Files::isDirectory)
          .sorted()
          .map(folder -> new ReferenceCase(folder, topologyOf.apply(folder)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
