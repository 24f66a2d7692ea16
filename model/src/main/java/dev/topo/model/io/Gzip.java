package dev.topo.model.io;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/** Reads gzip files, recognised by their first bytes (RFC 1952), not by name. */
public final class Gzip {
  static final int FIRST = 0x1f;
  static final int SECOND = 0x8b;
  private static final int BUFFER = 1 << 16;

  private Gzip() {}

  /**
   * The content of a stream, unpacked where it is compressed; only white space may follow its last
   * member.
   */
  public static InputStream unpacked(InputStream stream) throws IOException {
    InputStream in = new BufferedInputStream(new WithoutAvailable(stream), BUFFER);
    in.mark(2);
    boolean isCompressed = in.read() == FIRST && in.read() == SECOND;
    in.reset();
    return isCompressed ? new BufferedInputStream(new GzipMembers(in), BUFFER) : in;
  }

  /**
   * A stream that reports no available bytes: Java would seek to count them, which fails on a pipe.
   */
  private static final class WithoutAvailable extends FilterInputStream {
    WithoutAvailable(InputStream stream) {
      super(stream);
    }

    @Override
    public int available() {
      return 0;
    }
  }

  public static boolean isCompressed(byte[] content) {
    return content.length > 1 && content[0] == FIRST && content[1] == (byte) SECOND;
  }

  /**
   * The content of a gzip file (RFC 1952), which has one or more members. Unlike {@link
   * java.util.zip.GZIPInputStream} it reads all members of any length, and rejects anything but
   * white space after the last one. Used once.
   */
  static final class GzipMembers extends InputStream {
    private static final int BUFFER = 1 << 16;
    private static final int DEFLATE = 8;
    private static final String WHITE_SPACE = " \t\r\n";
    private static final int SKIPPED_BYTES = 6; // time, extra flags, system

    // Flags of a header.
    private static final int HEADER_CHECKSUM = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int RESERVED = 0xe0;

    private final InputStream in;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 checksum = new CRC32();
    private final byte[] buffer = new byte[BUFFER];
    private int at;
    private int end;
    private long positionOfEnd;
    private boolean isDone;

    /**
     * Opens a file that begins with a member.
     *
     * @throws ZipException if its header is damaged
     */
    GzipMembers(InputStream in) throws IOException {
      this.in = in;
      header();
    }

    @Override
    public int read() throws IOException {
      byte[] single = new byte[1];
      return read(single, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(single[0]);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      while (length > 0 && !isDone) {
        int read = inflate(bytes, offset, length);
        if (read > 0) {
          checksum.update(bytes, offset, read);
          return read;
        }
        if (inflater.finished()) {
          at = end - inflater.getRemaining();
          trailer();
          nextMember();
        } else {
          fill();
          inflater.setInput(buffer, at, end - at);
        }
      }
      return length == 0 ? 0 : -1;
    }

    private int inflate(byte[] bytes, int offset, int length) throws ZipException {
      try {
        int read = inflater.inflate(bytes, offset, length);
        if (inflater.needsDictionary()) {
          throw error("data need a dictionary");
        }
        return read;
      } catch (DataFormatException e) {
        throw error("damaged data (" + e.getMessage() + ")");
      }
    }

    private void fill() throws IOException {
      at = 0;
      end = Math.max(0, in.read(buffer));
      positionOfEnd += end;
      if (end == 0) {
        throw new EOFException("the compressed data end too early");
      }
    }

    private int next() throws IOException {
      if (at == end) {
        fill();
      }
      return Byte.toUnsignedInt(buffer[at++]);
    }

    /** Reads a little-endian number. */
    private long littleEndian(int bytes) throws IOException {
      long number = 0;
      for (int i = 0; i < bytes; i++) {
        number |= (long) next() << 8 * i;
      }
      return number;
    }

    private int headerByte() throws IOException {
      int next = next();
      checksum.update(next);
      return next;
    }

    private void header() throws IOException {
      checksum.reset();
      if (headerByte() != Gzip.FIRST || headerByte() != Gzip.SECOND || headerByte() != DEFLATE) {
        throw error("not the header of a member");
      }
      int flags = headerByte();
      for (int i = 0; i < SKIPPED_BYTES; i++) {
        headerByte();
      }
      int extra = (flags & EXTRA) == 0 ? 0 : headerByte() | headerByte() << 8;
      for (int i = 0; i < extra; i++) {
        headerByte();
      }
      for (int texts = flags & (NAME | COMMENT); texts != 0; texts &= texts - 1) {
        while (headerByte() != 0) {
          // a text ends with 0
        }
      }
      long sum = checksum.getValue() & 0xffff;
      if ((flags & RESERVED) != 0 || (flags & HEADER_CHECKSUM) != 0 && littleEndian(2) != sum) {
        throw error("damaged header of a member");
      }
      checksum.reset();
      inflater.reset();
      inflater.setInput(buffer, at, end - at);
    }

    private void trailer() throws IOException {
      if (littleEndian(4) != checksum.getValue()
          || littleEndian(4) != (inflater.getBytesWritten() & 0xffffffffL)) {
        throw error("content differs from the checksum of its member");
      }
    }

    private void nextMember() throws IOException {
      while (hasMore() && WHITE_SPACE.indexOf(buffer[at]) >= 0) {
        at++;
      }
      if (!hasMore()) {
        isDone = true;
      } else if (Byte.toUnsignedInt(buffer[at]) == Gzip.FIRST) {
        header();
      } else {
        throw error(
            "0x%02x follows the last member of gzip, expected white space or a further member"
                .formatted(buffer[at]));
      }
    }

    private boolean hasMore() throws IOException {
      if (at == end) {
        at = 0;
        end = Math.max(0, in.read(buffer));
        positionOfEnd += end;
      }
      return at < end;
    }

    private ZipException error(String what) {
      return new ZipException("byte " + (positionOfEnd - end + at) + ": " + what);
    }

    @Override
    public void close() throws IOException {
      inflater.end();
      in.close();
    }
  }
}
