package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.topo.model.fixture.ReferenceArchive;
import dev.topo.model.fixture.SharedFolder;
import dev.topo.search.rules.NcclProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Where the reference answers are: the sets of the project, and further ones in a folder beside it
 * that may be absent.
 */
final class ReferenceSets {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  private static final Path ARCHIVES = ROOT.resolve("src/test/resources/reference");

  private static final Path VERSIONS = ARCHIVES.resolve("versions.tar.xz");

  private ReferenceSets() {}

  /** The machines that the project ships. */
  static Path topologies() {
    return ROOT.resolve("topologies");
  }

  /** The machines that the project ships. */
  static List<ReferenceCase> own() {
    return cases(
        ReferenceArchive.folder("own"), machine -> shipped(machine.getFileName() + ".xml"));
  }

  /** Machines at random. */
  static List<ReferenceCase> random() {
    return cases(ReferenceArchive.folder("random"), machine -> machine.resolve("topo.xml"));
  }

  /** The folder of a set of the project that is an archive: {@code mnnvl}, {@code collnet}. */
  static Path archived(String set) {
    return VersionArchive.unpacked(ARCHIVES.resolve(set + ".tar.xz")).resolve(set);
  }

  /** The versions that there are answers of, besides the default one. */
  static List<String> versions() {
    return folders(VersionArchive.unpacked(VERSIONS)).stream()
        .map(folder -> folder.getFileName().toString())
        .toList();
  }

  /**
   * What another version answers for {@link #own()}, {@link #random()} or the set {@code public}.
   */
  static List<ReferenceCase> ofVersion(String version, String set) {
    NcclProfile profile = NcclProfile.of(version);
    if (set.equals("public")) {
      Path topologies = SharedFolder.assumeThere("reference/public");
      Path archive = SharedFolder.assumeThere("reference/versions").resolve(version + ".tar.xz");
      return folders(VersionArchive.unpacked(archive).resolve(version).resolve(set)).stream()
          .map(
              folder ->
                  new ReferenceCase(
                      folder,
                      topologies.resolve(folder.getFileName().toString()).resolve("topo.xml"),
                      profile))
          .toList();
    }
    Map<String, Path> topologies = new HashMap<>();
    (set.equals("own") ? own() : random())
        .forEach(shipped -> topologies.put(shipped.name(), shipped.topologyFile()));
    Path answers = VersionArchive.unpacked(VERSIONS).resolve(version).resolve(set);
    return folders(answers).stream()
        .map(
            folder -> {
              Path topology = topologies.get(folder.getFileName().toString());
              return new ReferenceCase(folder, Objects.requireNonNull(topology), profile);
            })
        .toList();
  }

  /**
   * A set beside the project, each case with a topology of its own. As with all sets beside the
   * project the test is left out if the folder is absent.
   */
  static List<ReferenceCase> beside(String set) {
    return beside(set, machine -> machine.resolve("topo.xml"));
  }

  /** The machines of the project under each of some settings. */
  static Map<String, List<ReferenceCase>> bySetting() {
    Map<String, List<ReferenceCase>> sets = new LinkedHashMap<>();
    for (Path folder : folders(SharedFolder.assumeThere("reference/env"))) {
      String setting = folder.getFileName().toString();
      sets.put(
          setting, beside("env/" + setting, machine -> shipped(machine.getFileName() + ".xml")));
    }
    return sets;
  }

  /** Machines of the project on some of their GPUs; see {@link ReferenceCase#selection()}. */
  static List<ReferenceCase> someGpus() {
    return beside(
        "subset", folder -> shipped(folder.getFileName().toString().split("\\.", 2)[0] + ".xml"));
  }

  /** Jobs of unequal machines; see {@link ReferenceCase#mixedJob()}. */
  static List<ReferenceCase> mixed() {
    return beside("mixed", folder -> folder.resolve("nodes.txt"));
  }

  /** A machine that the project ships. */
  static Path shipped(String file) {
    return topologies().resolve(file);
  }

  static List<ReferenceCase> beside(String set, Function<Path, Path> topologyOf) {
    return cases(SharedFolder.assumeThere("reference/" + set), topologyOf);
  }

  /** The folders in a folder, by name; at least one. */
  private static List<Path> folders(Path parent) {
    try (Stream<Path> folders = Files.list(parent)) {
      List<Path> found = folders.filter(Files::isDirectory).sorted().toList();
      assertFalse(found.isEmpty(), "no folder in " + parent);
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<ReferenceCase> cases(Path set, Function<Path, Path> topologyOf) {
    return folders(set).stream()
        .map(folder -> new ReferenceCase(folder, topologyOf.apply(folder)))
        .toList();
  }
}
