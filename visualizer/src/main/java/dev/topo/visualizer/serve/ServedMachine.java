package dev.topo.visualizer.serve;

import dev.topo.model.job.Machine.MachineName;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlReader;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/** A machine that a page may ask about. For several threads. */
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

  /** Its name in requests. */
  String id() {
    return id;
  }

  /** The file as a command line names it; it is not read again. */
  Path file() {
    return file;
  }

  /** Description in a line; may be empty. */
  String description() {
    return description;
  }

  /** Size of the content that is kept for it. */
  int bytes() {
    return bytes;
  }

  String name() {
    return MachineName.of(file);
  }

  /** Its content. */
  synchronized XmlDocument document() {
    XmlDocument read = document.orElseGet(source);
    document = Optional.of(read);
    return read;
  }

  /** True if its content was read. */
  synchronized boolean isRead() {
    return document.isPresent();
  }
}
