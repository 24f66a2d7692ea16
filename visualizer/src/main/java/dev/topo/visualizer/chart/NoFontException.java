package dev.topo.visualizer.chart;

import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.font.TextLayout;
import java.awt.image.BufferedImage;

/** The host cannot paint text: it has no fonts, no fontconfig, or a Java without Java2D. */
public final class NoFontException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoFontException(Throwable cause) {
    super("nothing here can paint text for a PNG (" + cause.getMessage() + ")", cause);
  }

  /**
   * Lays out a letter. What that throws where fonts, fontconfig or a library of AWT are missing
   * differs from host to host: a plain Error without fonts, RuntimeException without a
   * configuration of them, UnsatisfiedLinkError without libfreetype.
   */
  public static void check() {
    try {
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
}
