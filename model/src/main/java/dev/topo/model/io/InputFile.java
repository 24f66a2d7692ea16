package dev.topo.model.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Reads a file that the user names as a whole; one that cannot be used is reported in one line. */
public final class InputFile {
  /** Larger than any of these files, including logs of many ranks. */
  private static final int MAX_BYTES = 512 << 20;

  /** Editors and spreadsheets write it before a text. */
  private static final String BYTE_ORDER_MARK = "\ufeff";

  /** A terminal that the user types into is a device. */
  private static final Path STANDARD_INPUT = Path.of("/dev/stdin");

  /** {@code S_IFMT} and {@code S_IFIFO} of {@code sys/stat.h}. */
  private static final int FILE_TYPE = 0170000;

  private static final int PIPE = 0010000;

  private InputFile() {}

  /**
   * A text, without its byte order mark.
   *
   * @param expected the expected content, as in {@code a calibration}
   * @throws TopologyFormatException if it is missing, no file, too large or not UTF-8
   */
  public static String text(Path file, String expected) {
    return text(bytes(file, expected), file.toString(), expected);
  }

  /**
   * The text of a content, without its byte order mark.
   *
   * @param file its name in messages
   * @param expected the expected content, as in {@code a calibration}
   * @throws TopologyFormatException if it is not UTF-8
   */
  public static String text(byte[] content, String file, String expected) {
    ByteBuffer bytes = ByteBuffer.wrap(content);
    CharBuffer text = CharBuffer.allocate(content.length);
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    if (decoder.decode(bytes, text, true).isError()) {
      throw new TopologyFormatException(
          place(file, text.flip().toString()), "is not UTF-8 text, expected " + expected);
    }
    return withoutMark(text.flip().toString());
  }

  /**
   * The text of what a program printed, without its byte order mark; bytes that are not UTF-8
   * become replacement characters.
   */
  public static String printed(byte[] content) {
    return withoutMark(new String(content, StandardCharsets.UTF_8));
  }

  private static String withoutMark(String text) {
    return text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text;
  }

  /** The place in a file behind a text. */
  private static SourceLocation place(String file, String before) {
    int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
    return new SourceLocation(file, line, before.length() - before.lastIndexOf('\n'));
  }

  /**
   * The content of a file, unpacked if it is compressed by gzip.
   *
   * @param expected the expected content, as in {@code a calibration}
   * @throws TopologyFormatException if it is missing, no file or too large
   */
  public static byte[] bytes(Path file, String expected) {
    return bytes(file, expected, MAX_BYTES, true);
  }

  /**
   * The content of a file as it is, or unpacked.
   *
   * @param expected the expected content, as in {@code a calibration}
   * @param most the largest size
   * @param unpacks whether a file that is compressed by gzip is unpacked
   * @throws TopologyFormatException if it is missing, no file or larger
   */
  public static byte[] bytes(Path file, String expected, int most, boolean unpacks) {
    try (InputStream raw = open(file, expected);
        InputStream in = unpacks ? Gzip.unpacked(raw) : raw) {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        throw unusable(file, "has more than " + most + " bytes, expected " + expected, null);
      }
      return bytes;
    } catch (IOException e) {
      throw unreadable(file, expected, e);
    }
  }

  /**
   * Opens a file that the user names. It is a regular file, or a pipe, as that of {@code <(…)} in a
   * shell: a device may never end. Its name is kept in {@link OpenedFiles}.
   *
   * @param expected the expected content, as in {@code a calibration}
   * @throws TopologyFormatException if it is missing, no file, or cannot be opened
   */
  public static InputStream open(Path file, String expected) {
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      if (found.isDirectory()) {
        throw unusable(file, "is a directory, expected " + expected, null);
      }
      if (found.isOther() && !file.equals(STANDARD_INPUT) && !isPipe(file)) {
        throw unusable(file, "is a device or socket, expected " + expected, null);
      }
      if (found.isRegularFile()) {
        OpenedFiles.add(file, found);
      }
      return Invocation.current().add(file, Files.newInputStream(file), found.isRegularFile());
    } catch (IOException e) {
      throw unreadable(file, expected, e);
    }
  }

  private static boolean isPipe(Path file) throws IOException {
    return Files.getAttribute(file, "unix:mode") instanceof Integer mode
        && (mode & FILE_TYPE) == PIPE;
  }

  private static TopologyFormatException unreadable(Path file, String expected, IOException e) {
    return e instanceof NoSuchFileException
        ? unusable(file, "no such file, expected " + expected, e)
        : unusable(file, "cannot be read (" + FileFault.words(e) + "), expected " + expected, e);
  }

  private static TopologyFormatException unusable(
      Path file, String why, @Nullable IOException cause) {
    return new TopologyFormatException(SourceLocation.of(file.toString()), why, cause);
  }
}
