package dev.topo.visualizer.chart;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import javax.imageio.ImageIO;

/** Paints a raster image and encodes it as PNG. */
final class PngImage {
  private PngImage() {}

  /**
   * Returns the bytes of an image.
   *
   * @param width the width in pixels
   * @param height the height in pixels
   * @param scale the number of pixels per unit of the drawing
   * @param painter paints the image
   * @throws NoFontException if the host has no fonts or no Java2D
   */
  static byte[] paint(int width, int height, double scale, Consumer<Graphics2D> painter) {
    NoFontException.check();
    ImageIO.setUseCache(false);
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.scale(scale, scale);
    painter.accept(graphics);
    graphics.dispose();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ImageIO.write(image, "png", bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
