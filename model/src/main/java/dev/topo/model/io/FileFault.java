package dev.topo.model.io;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;

/** Why a file cannot be read or written, as a message. */
public final class FileFault {
  private FileFault() {}

  /** The reason without the name of the file. */
  public static String text(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof ClosedByInterruptException) {
      return "interrupted";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "a file is where a folder should be";
    }
    if (e instanceof FileSystemException fault && fault.getReason() != null) {
      return Objects.requireNonNull(fault.getReason());
    }
    return Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
  }
}
