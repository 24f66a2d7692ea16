package dev.topo.workload.protobuf;

import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Reads messages that follow each other, each with its length as a varint before it. Used once. */
public final class MessageReader {
  /** A message of a trace describes one operation. */
  private static final int MOST_BYTES = 64 << 20;

  private static final int BITS = 7;
  private static final int MORE = 0x80;
  private static final int LENGTH_BITS = 32;

  private final InputStream in;
  private final String file;
  private long position;

  /**
   * Of a file.
   *
   * @param file its name for messages
   */
  public MessageReader(InputStream in, String file) {
    this.in = in;
    this.file = file;
  }

  /**
   * The next message; empty at the end.
   *
   * @throws TopologyFormatException if it is damaged, with its position in bytes
   */
  public Optional<Message> next() throws IOException {
    long begin = position;
    int first = in.read();
    if (first < 0) {
      return Optional.empty();
    }
    position++;
    long length = first & (MORE - 1);
    for (int shift = BITS; (first & MORE) != 0; shift += BITS) {
      first = in.read();
      if (first < 0 || shift >= LENGTH_BITS) {
        throw wrong(file, begin, "no length of a message, expected at most 5 bytes");
      }
      position++;
      length |= (long) (first & (MORE - 1)) << shift;
    }
    if (length > MOST_BYTES) {
      throw wrong(file, begin, "a message of " + length + " bytes, expected at most " + MOST_BYTES);
    }
    byte[] bytes = in.readNBytes((int) length);
    if (bytes.length < length) {
      throw wrong(
          file,
          begin,
          "a message of " + length + " bytes, of which " + bytes.length + " are there");
    }
    Message message = new Message(bytes, 0, bytes.length, file, position);
    position += length;
    return Optional.of(message);
  }

  static TopologyFormatException wrong(String file, long position, String what) {
    return new TopologyFormatException(SourceLocation.of(file), "byte " + position + ": " + what);
  }
}
