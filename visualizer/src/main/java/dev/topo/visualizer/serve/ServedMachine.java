package dev.topo.visualizer.serve;

import dev.topo.model.job.Machine.MachineName;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlReader;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/** A machine that a page may ask about. Thread-safe. */
final class ServedMachine {
  private final String id;
  private final Path file;
  private final String description;
  private final int bytes;
  private final Supplier<XmlDocument> source;
  private Optional<XmlDocument> document = Optional.empty();

  private ServedMachine(
      String id, Path file, String description, int bytes, Supplier<XmlDocument> source) {
    this.id = id;
    this.file = file;
    this.description = description;
    this.bytes = bytes;
    this.source = source;
  }

  /**
   * A machine from the content of a file.
   *
   * @throws dev.topo.model.io.TopologyFormatException if it cannot be read
   */
  static ServedMachine of(String id, Path file, String description, byte[] content) {
    XmlDocument read = read(file, content);
    return new ServedMachine(id, file, description, content.length, () -> read);
  }

  /** A machine that is read on first use. */
  static ServedMachine unread(String id, Path file, String description, Supplier<byte[]> content) {
    return new ServedMachine(id, file, description, 0, () -> read(file, content.get()));
  }

  private static XmlDocument read(Path file, byte[] content) {
    return new XmlReader().read(content, file.toString());
  }

  /** The id of the machine in requests. */
  String id() {
    return id;
  }

  /** The file as named on a command line; it is not read again. */
  Path file() {
    return file;
  }

  /** A one-line description; may be empty. */
  String description() {
    return description;
  }

  /** The size in bytes of the content that is kept; 0 for shipped machines. */
  int bytes() {
    return bytes;
  }

  String name() {
    return MachineName.of(file);
  }

  /** The XML content, read on first use. */
  synchronized XmlDocument document() {
    XmlDocument read = document.orElseGet(source);
    document = Optional.of(read);
    return read;
  }

  /** True if the content has been read. */
  synchronized boolean isRead() {
    return document.isPresent();
  }
}
