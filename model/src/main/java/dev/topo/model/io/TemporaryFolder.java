package dev.topo.model.io;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * A folder for the time of some work; closing it deletes it with all in it.
 *
 * @param path where it is
 * @param messages receives why it cannot be deleted, which is no failure of the work
 */
public record TemporaryFolder(Path path, Consumer<String> messages) implements AutoCloseable {
  /**
   * Makes a folder in the one for temporary files.
   *
   * @param prefix of its name
   * @throws OutputException if it cannot be made
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
