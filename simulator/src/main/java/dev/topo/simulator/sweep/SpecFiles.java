package dev.topo.simulator.sweep;

import dev.topo.model.io.ContentHash;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
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
 * The files that a specification names, relative to its folder, each read once. For several
 * threads.
 */
public final class SpecFiles {
  private final Path folder;
  private final Inputs inputs;

  private final TopologySource machines;
  private final Map<Path, String> hashes = new ConcurrentHashMap<>();
  private final TracedJobs traces = new TracedJobs(this);

  /** The files for specifications of a folder. */
  SpecFiles(Path folder, Inputs inputs) {
    this.folder = folder.normalize();
    this.inputs = inputs;
    this.machines = new TopologySource(inputs, UnknownElements.REJECTED);
  }

  /** The files for a specification. */
  public static SpecFiles of(Path spec, Inputs inputs) {
    return new SpecFiles(Objects.requireNonNullElse(spec.getParent(), Path.of("")), inputs);
  }

  Inputs inputs() {
    return inputs;
  }

  Path place(Path file) {
    return folder.resolve(file);
  }

  /** A message without the folder: rows do not depend on where the specification is. */
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
   * @param named where the specification names it
   * @throws TopologyFormatException at that location if it does not exist, or is a pipe
   */
  void require(Path file, SourceLocation named, String expected) {
    if (!Files.exists(place(file))) {
      throw new TopologyFormatException(
          named, "'%s': no such file, expected %s".formatted(file, expected));
    }
    // Each shard and each run that continues reads it again.
    if (!Files.isRegularFile(place(file))) {
      throw new TopologyFormatException(
          named, "'%s': no regular file, expected %s".formatted(file, expected));
    }
  }

  XmlDocument document(Path file) {
    return machines.document(place(file));
  }

  /** The contents of a machine of a job: a node, or an NVLink domain of several equal ones. */
  XmlDocument document(Path file, int hosts) {
    return machines.document(place(file), hosts);
  }

  /** The hash of a topology file. */
  String machineHash(Path file) {
    document(file); // its errors are reported before any result
    return hashes.computeIfAbsent(
        file, name -> new ContentHash().add(machines.bytes(place(name))).key());
  }

  /** The hash of another file. */
  String hash(Path file, String expected) {
    return hashes.computeIfAbsent(
        file, name -> new ContentHash().add(inputs.bytes(place(name), expected)).key());
  }
}
