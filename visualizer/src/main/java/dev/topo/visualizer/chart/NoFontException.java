package dev.topo.visualizer.chart;

import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.font.TextLayout;
import java.awt.image.BufferedImage;
import java.io.File;
import java.util.Arrays;
import java.util.stream.Stream;

/** The host cannot paint text: it has no fonts, no fontconfig, or a Java without Java2D. */
public final class NoFontException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoFontException(Throwable cause) {
    super("nothing here can paint text for a PNG (" + cause.getMessage() + ")", cause);
  }

  /**
   * Checks that AWT can lay out a letter. What it throws depends on what the host lacks: a plain
   * Error without fonts, RuntimeException without their configuration, UnsatisfiedLinkError without
   * libfreetype.
   *
   * @throws NoFontException if it cannot
   */
  public static void check() {
    // Before AWT is loaded: no display is needed, so AWT must not look for one.
    System.setProperty("java.awt.headless", "true");
    try {
      loadPacked();
      BufferedImage image = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB);
      Graphics2D graphics = image.createGraphics();
      new TextLayout(
          "x", new Font(Font.SANS_SERIF, Font.PLAIN, 10), graphics.getFontRenderContext());
      graphics.dispose();
    } catch (OutOfMemoryError | StackOverflowError e) {
      throw e;
    } catch (RuntimeException | Error e) {
      throw new NoFontException(e);
    }
  }

  /**
   * Loads the libraries that packages of topo contain for hosts without them. They are named so
   * that each follows those that it needs.
   */
  private static void loadPacked() {
    Stream.ofNullable(new File(System.getProperty("java.home"), "lib/text").listFiles())
        .flatMap(Arrays::stream)
        .sorted()
        .forEach(library -> System.load(library.getPath()));
  }
}
