package dev.topo.model.job;

import org.jspecify.annotations.Nullable;

/**
 * A setting whose name NCCL does not know or whose value it could not use. The message says what
 * was expected.
 */
public class SettingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SettingException(String message) {
    super(message);
  }

  public SettingException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
