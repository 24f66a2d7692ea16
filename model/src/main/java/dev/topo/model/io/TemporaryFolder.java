package dev.topo.model.io;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * A temporary folder; closing it deletes it with its content.
 *
 * @param path its path
 * @param messages receives the reason if it cannot be deleted, which does not fail the work
 */
public record TemporaryFolder(Path path, Consumer<String> messages) implements AutoCloseable {
  /**
   * Creates a folder in the system's folder for temporary files.
   *
   * @param prefix of its name
   * @throws OutputException if it cannot be created
   */
  public static TemporaryFolder make(String prefix, Consumer<String> messages) {
    try {
      return new TemporaryFolder(TemporaryFiles.folder(prefix), messages);
    } catch (IOException e) {
      throw new OutputException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void close() {
    try {
      TemporaryFiles.delete(path);
    } catch (IOException e) {
      messages.accept("cannot delete " + path + ": " + FileFault.text(e));
    }
  }
}
