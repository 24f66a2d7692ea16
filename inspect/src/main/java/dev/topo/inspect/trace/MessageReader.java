package dev.topo.inspect.trace;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.topo.model.io.TopologyFormatException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Reads Protocol Buffers messages, each preceded by its length as a varint, field by field. No
 * message is kept, so memory depends only on the texts that are read. A field is identified by its
 * tag, which combines its number and its wire type. Single use.
 */
final class MessageReader {
  /** Number of bits by which a tag shifts the field number. */
  public static final int FIELD_SHIFT = 3;

  /** Wire type of numbers, enumerations and booleans. */
  public static final int VARINT = 0;

  /** Wire type of texts and messages. */
  public static final int LENGTH_DELIMITED = 2;

  /** Maximum length of a message, in bytes; a message of a trace describes one operation. */
  private static final int MAX_BYTES = 64 << 20;

  /**
   * Maximum length of a text, in bytes: more than the tensor types of an operation with tens of
   * thousands of tensors take.
   */
  private static final int MAX_TEXT_BYTES = 1 << 20;

  private final Source source;
  private final CodedInputStream in;
  private final String file;
  private long messageOffset;
  private long contentOffset;
  private int length;
  private int outerLimit;

  /** Counts the bytes read from the file, because the library reads ahead. */
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
   * Reader of a file.
   *
   * @param file its name for messages
   */
  MessageReader(InputStream in, String file) {
    this.source = new Source(in);
    this.in = CodedInputStream.newInstance(source);
    this.file = file;
  }

  /**
   * Enters the next message.
   *
   * @return false at the end of the file
   * @throws TopologyFormatException if the message is damaged, with its byte offset
   */
  boolean next() throws IOException {
    messageOffset += in.getTotalBytesRead();
    in.resetSizeCounter();
    if (in.isAtEnd()) {
      return false;
    }
    length = length("a message", MAX_BYTES);
    contentOffset = messageOffset + in.getTotalBytesRead();
    outerLimit = in.pushLimit(length);
    return true;
  }

  /** Tag of the next field of the message; 0 at its end. */
  int tag() throws IOException {
    int tag = in.readTag();
    if (tag == 0 && in.getBytesUntilLimit() > 0) {
      throw truncated();
    }
    if (tag == 0) {
      in.popLimit(outerLimit);
    }
    return tag;
  }

  void skip() throws IOException {
    if (!in.skipField(in.getLastTag())) {
      throw wrong("a group ends that did not begin");
    }
  }

  long number() throws IOException {
    return in.readRawVarint64();
  }

  String text() throws IOException {
    byte[] bytes = in.readRawBytes(length("a text", MAX_TEXT_BYTES));
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /**
   * Enters a nested message, whose fields come next.
   *
   * @return the value to pass to {@link #leave} at its end
   */
  int enter() throws IOException {
    int savedLimit = outerLimit;
    outerLimit = in.pushLimit(length("a message", MAX_BYTES));
    return savedLimit;
  }

  /** Leaves a nested message after its last tag, 0. */
  void leave(int savedLimit) {
    outerLimit = savedLimit;
  }

  private int length(String what, int most) throws IOException {
    int read = in.readRawVarint32();
    if (read < 0 || read > most) {
      throw wrong(
          "%s of %s bytes, expected at most %s"
              .formatted(what, Integer.toUnsignedLong(read), most));
    }
    return read;
  }

  /** Returns the error for malformed wire format, which any reading method may throw. */
  TopologyFormatException damaged(InvalidProtocolBufferException e) {
    return source.isAtEnd && source.bytes < contentOffset + length
        ? truncated()
        : wrong("not a message of Protocol Buffers: " + reason(e));
  }

  private TopologyFormatException truncated() {
    return new TopologyFormatException(
        file,
        "byte %s: a message of %s bytes, of which %s are there"
            .formatted(messageOffset, length, source.bytes - contentOffset));
  }

  /**
   * First sentence of the library's message, as in {@code the input ended unexpectedly in a field}.
   */
  private static String reason(InvalidProtocolBufferException e) {
    return String.valueOf(e.getMessage())
        .replaceFirst("^While parsing a protocol message, ", "")
        .replaceFirst("(?s)\\..*", "");
  }

  TopologyFormatException wrong(String what) {
    return new TopologyFormatException(
        file, "byte " + (messageOffset + in.getTotalBytesRead()) + ": " + what);
  }
}
