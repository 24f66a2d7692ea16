package dev.topo.model.io;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Messages for failed reads and writes of files. */
public final class FileFault {
  private static final Set<String> FULL = Set.of("no space left on device", "disk quota exceeded");

  private FileFault() {}

  /**
   * True if an error or one of its causes is a full disk or quota (ENOSPC, EDQUOT). Java has no
   * exception type for it, only the message of the operating system.
   */
  public static boolean isDiskFull(@Nullable Throwable e) {
    return e != null
        && (e instanceof IOException fault && FULL.contains(text(fault).toLowerCase(Locale.ROOT))
            || isDiskFull(e.getCause()));
  }

  /** An input file that cannot be read. */
  public static TopologyFormatException unreadable(String file, IOException e) {
    return new TopologyFormatException(file, "cannot be read (" + text(e) + ")", e);
  }

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
