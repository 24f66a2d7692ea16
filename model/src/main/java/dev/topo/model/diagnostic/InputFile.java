package dev.topo.model.diagnostic;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads a file that the user names as a whole; one that cannot be used is reported in one line. */
public final class InputFile {
  /** Larger than any of these files, including logs of many ranks. */
  private static final int MAX_BYTES = 512 << 20;

  /** Editors and spreadsheets write it before a text. */
  private static final String BYTE_ORDER_MARK = "\ufeff";

  private InputFile() {}

  /**
   * A text, without its byte order mark.
   *
   * @param expected the expected content, as in {@code a calibration}
   * @throws TopologyFormatException if it is missing, no file, too large or not UTF-8
   */
  public static String text(Path file, String expected) {
    try {
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes(file, expected)))
              .toString();
      return text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text;
    } catch (CharacterCodingException e) {
      throw unusable(file, "is not UTF-8 text, expected " + expected, e);
    }
  }

  /**
   * The content of a file.
   *
   * @param expected the expected content, as in {@code a calibration}
   * @throws TopologyFormatException if it is missing, no file or too large
   */
  public static byte[] bytes(Path file, String expected) {
    try {
      if (Files.isDirectory(file)) {
        throw unusable(file, "is a directory, expected " + expected, null);
      }
      try (InputStream in = Files.newInputStream(file)) {
        byte[] bytes = in.readNBytes(MAX_BYTES + 1);
        if (bytes.length > MAX_BYTES) {
          throw unusable(file, "has more than " + MAX_BYTES + " bytes, expected " + expected, null);
        }
        return bytes;
      }
    } catch (NoSuchFileException e) {
      throw unusable(file, "no such file, expected " + expected, e);
    } catch (IOException e) {
      throw unusable(file, "cannot be read (" + FileFault.words(e) + "), expected " + expected, e);
    }
  }

  private static TopologyFormatException unusable(
      Path file, String why, @Nullable IOException cause) {
    return new TopologyFormatException(SourceLocation.of(file.toString()), why, cause);
  }
}
