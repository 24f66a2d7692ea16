package dev.topo.model.job;

import org.jspecify.annotations.Nullable;

/**
 * A setting with a name unknown to NCCL or an unusable value. The message says what was expected.
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
