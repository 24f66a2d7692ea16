package dev.topo.visualizer.serve;

import dev.topo.model.job.MachineName;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlReader;
import java.nio.file.Path;

/**
 * A machine that a page may ask about.
 *
 * @param id its name in requests
 * @param file the file as a command line names it; it is not read again
 * @param description what it is, in a line; may be empty
 * @param bytes size of its content
 * @param document its content
 */
record ServedMachine(String id, Path file, String description, int bytes, XmlDocument document) {
  /**
   * A machine from the content of a file.
   *
   * @throws dev.topo.model.io.TopologyFormatException if it cannot be read
   */
  static ServedMachine of(String id, Path file, String description, byte[] content) {
    return new ServedMachine(
        id, file, description, content.length, new XmlReader().read(content, file.toString()));
  }

  String name() {
    return MachineName.of(file);
  }
}
