package dev.topo.visualizer.serve;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.NamedMachine;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlReader;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The machines that a page may ask about: files of the command line, machines that ship with topo,
 * and files dropped into pages. All are in memory; requests name them by ids, never by paths.
 * Thread-safe.
 */
public final class MachineShelf {
  /** Maximum number of dropped files that are kept; the oldest is discarded first. */
  static final int MOST_DROPPED = 32;

  /** Maximum total size of the dropped files in bytes; a dump of a rack is smaller than 1 MB. */
  static final long MOST_BYTES = 64L << 20;

  private final Map<String, ServedMachine> fixed = new LinkedHashMap<>();
  private final Map<String, ServedMachine> dropped = new LinkedHashMap<>();
  private int nextNumber;

  /** Creates a shelf with the shipped machines, each of which is read on first use. */
  public MachineShelf() {
    for (NamedMachine machine : NamedMachine.all()) {
      String name = machine.name();
      put(
          ServedMachine.unread(
              "shipped-" + name,
              machine.isShipped() ? Path.of("topologies", name + ".xml") : Path.of(name),
              machine.description(),
              machine::content));
    }
  }

  private void put(ServedMachine machine) {
    fixed.put(machine.id(), machine);
  }

  /**
   * Adds a file of the command line.
   *
   * @param content its uncompressed bytes
   * @throws TopologyFormatException if it cannot be read
   */
  public synchronized void add(Path file, byte[] content) {
    put(ServedMachine.of("file-" + nextNumber++, file, "", content));
  }

  /**
   * Adds a file that was dropped into a page.
   *
   * @param name the name of the file; folders in it are removed
   * @throws TopologyFormatException if it cannot be read
   */
  synchronized ServedMachine drop(String name, byte[] packed) {
    String file = name.replaceAll(".*[/\\\\]", "").replaceAll("\\p{Cntrl}", "?");
    String label = file.isBlank() ? "dropped.xml" : file;
    byte[] content = new XmlReader().bytes(new ByteArrayInputStream(packed), label);
    ServedMachine machine =
        ServedMachine.of(
            "dropped-" + nextNumber++,
            Path.of(label.equals("..") || label.equals(".") ? "dropped.xml" : label),
            "dropped into the page",
            content);
    dropped.put(machine.id(), machine);
    while (dropped.size() > MOST_DROPPED || bytes() > MOST_BYTES) {
      dropped.remove(dropped.keySet().iterator().next());
    }
    return machine;
  }

  /** The number of machines added so far, including dropped ones. */
  synchronized int count() {
    return nextNumber;
  }

  private long bytes() {
    return dropped.values().stream().mapToLong(ServedMachine::bytes).sum();
  }

  /** All machines: files of the command line, dropped files, then shipped machines. */
  synchronized List<ServedMachine> all() {
    List<ServedMachine> machines = new ArrayList<>();
    fixed.values().stream()
        .filter(machine -> machine.id().startsWith("file-"))
        .forEach(machines::add);
    machines.addAll(dropped.values());
    fixed.values().stream().filter(machine -> !machines.contains(machine)).forEach(machines::add);
    return machines;
  }

  /**
   * Returns the machine with an id.
   *
   * @throws FieldException if there is none
   */
  synchronized ServedMachine get(String id) {
    return Optional.ofNullable(fixed.getOrDefault(id, dropped.get(id)))
        .orElseThrow(
            () ->
                FieldException.of(
                    "machine",
                    "there is no machine '%s' here: a file that was dropped into a page is kept until the server ends; drop it again"
                        .formatted(id)));
  }

  /**
   * Returns the machine that an edit names by its file: {@code machine other.xml}. Reads no file.
   *
   * @throws TopologyFormatException if no machine or several machines have this name
   */
  synchronized ServedMachine named(Path file) {
    List<ServedMachine> named =
        all().stream()
            .filter(machine -> machine.file().equals(file) || machine.id().equals(file.toString()))
            .toList();
    if (named.isEmpty()) {
      throw new TopologyFormatException(
          file.toString(),
          "is none of the machines of this page, expected one of the list: no other file is read");
    }
    if (named.stream().map(ServedMachine::document).map(XmlDocument::root).distinct().count() > 1) {
      throw new TopologyFormatException(
          file.toString(),
          "is the name of several machines of this page, expected one of their ids: "
              + QuantityFormat.joined(", ", named, ServedMachine::id));
    }
    return named.get(0);
  }
}
