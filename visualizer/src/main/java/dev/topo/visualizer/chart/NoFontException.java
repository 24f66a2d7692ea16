package dev.topo.visualizer.chart;

import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.font.TextLayout;
import java.awt.image.BufferedImage;
import java.io.File;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Thrown if the host cannot paint text: it has no fonts, no fontconfig, or a Java without Java2D.
 */
public final class NoFontException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoFontException(Throwable cause) {
    super("nothing here can paint text for a PNG (" + cause.getMessage() + ")", cause);
  }

  /**
   * Checks that AWT can lay out a letter. What AWT throws depends on what is missing: a plain Error
   * without fonts, a RuntimeException without fontconfig, an UnsatisfiedLinkError without
   * libfreetype.
   *
   * @throws NoFontException if it cannot
   */
  public static void check() {
    // Must be set before AWT is loaded, so that it does not look for a display.
    System.setProperty("java.awt.headless", "true");
    try {
      loadBundledLibraries();
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
   * Loads the libraries that packages of topo bundle for hosts without them. They are named so that
   * each sorts after those it depends on.
   */
  private static void loadBundledLibraries() {
    Stream.ofNullable(new File(System.getProperty("java.home"), "lib/text").listFiles())
        .flatMap(Arrays::stream)
        .sorted()
        .forEach(library -> System.load(library.getPath()));
  }
}
