package dev.topo.simulator.sweep;

import dev.topo.model.io.ContentHash;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.NamedMachine;
import dev.topo.model.xml.XmlDocument;
import dev.topo.search.topology.TopologySource;
import dev.topo.search.topology.TopologySource.UnknownElements;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Reads the files that a specification names, relative to its folder, and caches their contents.
 * Thread-safe.
 */
public final class SpecFiles {
  private final Path folder;
  private final Inputs inputs;

  private final TopologySource machines;
  private final Map<Path, String> hashes = new ConcurrentHashMap<>();
  private final TracedJobs traces = new TracedJobs(this);

  /** Files relative to a folder. */
  SpecFiles(Path folder, Inputs inputs) {
    this.folder = folder.normalize();
    this.inputs = inputs;
    this.machines = new TopologySource(inputs, UnknownElements.REJECTED);
  }

  /** Files relative to the folder of a specification. */
  public static SpecFiles of(Path spec, Inputs inputs) {
    return new SpecFiles(Objects.requireNonNullElse(spec.getParent(), Path.of("")), inputs);
  }

  Inputs inputs() {
    return inputs;
  }

  /** A file in the folder of the specification, or the name of a machine. */
  Path resolve(Path file) {
    Path inFolder = folder.resolve(file);
    return !Files.exists(inFolder) && NamedMachine.of(file).isPresent() ? file : inFolder;
  }

  /** Removes the folder from a message, so that rows do not depend on it. */
  String withoutFolder(String message) {
    return folder.toString().isEmpty()
        ? message
        : message.replaceAll("(?<![\\w./-])" + Pattern.quote(folder + "/"), "");
  }

  /** The traced jobs. */
  TracedJobs traces() {
    return traces;
  }

  /**
   * Checks that a file exists and can be read repeatedly.
   *
   * @param named location of the file's name in the specification
   * @throws TopologyFormatException at that location if the file does not exist or is not regular
   */
  void require(Path file, SourceLocation named, String expected) {
    if (NamedMachine.of(resolve(file)).isPresent()) {
      return;
    }
    if (!Files.exists(resolve(file))) {
      throw new TopologyFormatException(
          named, "'%s': no such file, expected %s".formatted(file, expected));
    }
    // Each shard, and each run that continues a sweep, reads the file again.
    if (!Files.isRegularFile(resolve(file))) {
      throw new TopologyFormatException(
          named, "'%s': no regular file, expected %s".formatted(file, expected));
    }
  }

  XmlDocument document(Path file) {
    return machines.document(resolve(file));
  }

  /**
   * Contents of the topology file of a machine.
   *
   * @param hosts number of equal nodes that form one NVLink domain; 1 for a node alone
   */
  XmlDocument document(Path file, int hosts) {
    return machines.document(resolve(file), hosts);
  }

  /** The hash of a topology file. */
  String machineHash(Path file) {
    document(file); // reports errors of the file before any result is computed
    return hashes.computeIfAbsent(
        file, name -> new ContentHash().add(machines.bytes(resolve(name))).key());
  }

  /** The hash of another file. */
  String hash(Path file, String expected) {
    return hashes.computeIfAbsent(
        file, name -> new ContentHash().add(inputs.bytes(resolve(name), expected)).key());
  }
}
