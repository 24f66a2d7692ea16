package dev.topo.inspect.trace;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.topo.model.io.TopologyFormatException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Reads messages that follow each other, each with its length as a varint before it, field by
 * field. Nothing is kept of a message: memory depends on its texts that are read, not on its
 * fields. A field is known by its tag, which has its number and how it is encoded. Used once.
 */
final class MessageReader {
  /** The shift of a field's number in its tag. */
  public static final int FIELD = 3;

  /** In a tag: a number, an enumeration or a truth value. */
  public static final int NUMBER = 0;

  /** In a tag: a text or a message. */
  public static final int BYTES = 2;

  /** A message of a trace describes one operation. */
  private static final int MOST_BYTES = 64 << 20;

  /** The tensor types of an operation with ten thousands of tensors are shorter. */
  private static final int MOST_TEXT_BYTES = 1 << 20;

  private final Source source;
  private final CodedInputStream in;
  private final String file;
  private long before;
  private long from;
  private int length;
  private int outer;

  /** The bytes of the file, which are counted: the library reads ahead. */
  private static final class Source extends FilterInputStream {
    private long bytes;
    private boolean isAtEnd;

    Source(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      byte[] single = new byte[1];
      return read(single, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(single[0]);
    }

    @Override
    public int read(byte[] buffer, int offset, int count) throws IOException {
      int read = super.read(buffer, offset, count);
      isAtEnd |= read < 0;
      bytes += Math.max(0, read);
      return read;
    }

    @Override
    public long skip(long count) throws IOException {
      long skipped = super.skip(count);
      bytes += skipped;
      return skipped;
    }
  }

  /**
   * Of a file.
   *
   * @param file its name for messages
   */
  MessageReader(InputStream in, String file) {
    this.source = new Source(in);
    this.in = CodedInputStream.newInstance(source);
    this.file = file;
  }

  /**
   * Begins the next message.
   *
   * @return whether there is one
   * @throws TopologyFormatException if it is damaged, with its position in bytes
   */
  boolean next() throws IOException {
    before += in.getTotalBytesRead();
    in.resetSizeCounter();
    try {
      if (in.isAtEnd()) {
        return false;
      }
      length = length("a message", MOST_BYTES);
      from = before + in.getTotalBytesRead();
      outer = in.pushLimit(length);
      return true;
    } catch (InvalidProtocolBufferException e) {
      throw damaged(e);
    }
  }

  /** The tag of the next field of the message; 0 at its end. */
  int tag() throws IOException {
    try {
      int tag = in.readTag();
      if (tag == 0 && in.getBytesUntilLimit() > 0) {
        throw cut();
      }
      if (tag == 0) {
        in.popLimit(outer);
      }
      return tag;
    } catch (InvalidProtocolBufferException e) {
      throw damaged(e);
    }
  }

  void skip() throws IOException {
    try {
      if (!in.skipField(in.getLastTag())) {
        throw wrong("a group ends that did not begin");
      }
    } catch (InvalidProtocolBufferException e) {
      throw damaged(e);
    }
  }

  long number() throws IOException {
    try {
      return in.readRawVarint64();
    } catch (InvalidProtocolBufferException e) {
      throw damaged(e);
    }
  }

  String text() throws IOException {
    try {
      byte[] bytes = in.readRawBytes(length("a text", MOST_TEXT_BYTES));
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (InvalidProtocolBufferException e) {
      throw damaged(e);
    }
  }

  /**
   * Begins a message in a field; its fields are the next ones.
   *
   * @return what {@link #leave} takes at its end
   */
  int enter() throws IOException {
    try {
      int entered = outer;
      outer = in.pushLimit(length("a message", MOST_BYTES));
      return entered;
    } catch (InvalidProtocolBufferException e) {
      throw damaged(e);
    }
  }

  /** Ends a message in a field, whose last tag was 0. */
  void leave(int entered) {
    outer = entered;
  }

  private int length(String what, int most) throws IOException {
    int read = in.readRawVarint32();
    if (read < 0 || read > most) {
      throw wrong(
          "%s of %d bytes, expected at most %d"
              .formatted(what, Integer.toUnsignedLong(read), most));
    }
    return read;
  }

  private TopologyFormatException damaged(InvalidProtocolBufferException e) {
    return source.isAtEnd && source.bytes < from + length
        ? cut()
        : wrong("not a message of Protocol Buffers: " + reason(e));
  }

  private TopologyFormatException cut() {
    return new TopologyFormatException(
        file,
        "byte %d: a message of %d bytes, of which %d are there"
            .formatted(before, length, source.bytes - from));
  }

  /** The first sentence of the library, as in {@code the input ended unexpectedly in a field}. */
  private static String reason(InvalidProtocolBufferException e) {
    return String.valueOf(e.getMessage())
        .replaceFirst("^While parsing a protocol message, ", "")
        .replaceFirst("(?s)\\..*", "");
  }

  TopologyFormatException wrong(String what) {
    return new TopologyFormatException(
        file, "byte " + (before + in.getTotalBytesRead()) + ": " + what);
  }
}
