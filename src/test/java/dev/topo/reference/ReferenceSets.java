package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.topo.model.fixture.ReferenceData;
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
 * The reference answers: sets of the project, and those of published files, which may be absent.
 */
final class ReferenceSets {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  private static final String PUBLIC = "reference/public";

  private ReferenceSets() {}

  /** The machines that the project ships. */
  static Path topologies() {
    return ROOT.resolve("topologies");
  }

  /** The machines that the project ships. */
  static List<ReferenceCase> own() {
    return cases(
        ReferenceData.of("reference/own"), machine -> shipped(machine.getFileName() + ".xml"));
  }

  /** Machines at random. */
  static List<ReferenceCase> random() {
    return of("random");
  }

  /** The folder of a set of the project, {@code mnnvl}. */
  static Path folder(String set) {
    return ReferenceData.of("reference/" + set);
  }

  /** The versions that there are answers of, besides the default one. */
  static List<String> versions() {
    return folders(folder("versions")).stream()
        .map(folder -> folder.getFileName().toString())
        .toList();
  }

  /**
   * What another version answers for {@link #own()}, {@link #random()} or the set {@code public}.
   */
  static List<ReferenceCase> ofVersion(String version, String set) {
    NcclProfile profile = NcclProfile.of(version);
    if (set.equals("public")) {
      Path topologies = ReferenceData.given(PUBLIC);
      Path answers = ReferenceData.given("reference/versions/" + version);
      return folders(answers.resolve(set)).stream()
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
    Path answers = folder("versions").resolve(version).resolve(set);
    return folders(answers).stream()
        .map(
            folder -> {
              Path topology = topologies.get(folder.getFileName().toString());
              return new ReferenceCase(folder, Objects.requireNonNull(topology), profile);
            })
        .toList();
  }

  /** Files that others published, which are not part of the project. */
  static List<ReferenceCase> published() {
    return of("public");
  }

  /** Files of NCCL_TOPO_FILE whose devices NCCL puts in another order. */
  static List<ReferenceCase> joined() {
    return of("joined");
  }

  /** A set whose cases have topologies of their own. */
  static List<ReferenceCase> of(String set) {
    Path machines = set.equals("public") ? ReferenceData.given(PUBLIC) : folder(set);
    return cases(machines, machine -> machine.resolve("topo.xml"));
  }

  /** The machines of the project under each of some settings. */
  static Map<String, List<ReferenceCase>> bySetting() {
    Map<String, List<ReferenceCase>> sets = new LinkedHashMap<>();
    for (Path folder : folders(folder("env"))) {
      String setting = folder.getFileName().toString();
      sets.put(setting, cases(folder, machine -> shipped(machine.getFileName() + ".xml")));
    }
    return sets;
  }

  /** Machines of the project on some of their GPUs; see {@link ReferenceCase#selection()}. */
  static List<ReferenceCase> someGpus() {
    return cases(
        folder("subset"),
        folder -> shipped(folder.getFileName().toString().split("\\.", 2)[0] + ".xml"));
  }

  /** Jobs of unequal machines; see {@link ReferenceCase#mixedJob()}. */
  static List<ReferenceCase> mixed() {
    return cases(folder("mixed"), folder -> folder.resolve("nodes.txt"));
  }

  /** A machine that the project ships. */
  static Path shipped(String file) {
    return topologies().resolve(file);
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
