package dev.topo.hw.probe;

/** A file is not a usable capture. The message has the entry and what was expected. */
public final class CaptureFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CaptureFormatException(String message) {
    super(message);
  }
}
