package dev.topo.visualizer.png;

/** The host cannot paint text: it has no fonts, no fontconfig, or a Java without Java2D. */
public final class NoFontException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoFontException(Throwable cause) {
    super("nothing here can paint text for a PNG (" + cause.getMessage() + ")", cause);
  }
}
