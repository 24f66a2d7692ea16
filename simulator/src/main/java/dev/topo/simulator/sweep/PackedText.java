package dev.topo.simulator.sweep;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/**
 * A text compressed by gzip (RFC 1952) with its checksum in the header, as the original name of the
 * file: that is the only field which all readers of gzip, DuckDB's too, accept. The end of the text
 * is read only if the checksum is right and nothing follows.
 */
final class PackedText extends InputStream {
  private static final int BUFFER = 1 << 16;

  /** Identification, method deflate, FNAME, no time, no extra flags, an unknown system. */
  private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 8, 0, 0, 0, 0, 0, (byte) 0xff};

  private static final String PREFIX = "sha256-";
  private static final Pattern NAME = Pattern.compile(PREFIX + "[0-9a-f]{64}");
  private static final int LONGEST_NAME = 128;

  /** CRC-32 and size. */
  private static final int TRAILER = 8;

  private final Unpacked unpacked;
  private final String checksum;
  private final MessageDigest digest = Checksum.begin();
  private final CRC32 crc = new CRC32();
  private long size;
  private boolean isEnded;

  private PackedText(Unpacked unpacked, String checksum) {
    this.unpacked = unpacked;
    this.checksum = checksum;
  }

  /** Writes a text; the stream stays open. */
  static void write(byte[] text, OutputStream out) throws IOException {
    out.write(HEADER);
    out.write((PREFIX + Checksum.of(text) + "\0").getBytes(StandardCharsets.ISO_8859_1));
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    try {
      DeflaterOutputStream packed = new DeflaterOutputStream(out, deflater, BUFFER);
      packed.write(text);
      packed.finish();
    } finally {
      deflater.end();
    }
    CRC32 crc = new CRC32();
    crc.update(text);
    out.write(trailer(crc, text.length));
  }

  private static byte[] trailer(CRC32 crc, long size) {
    return ByteBuffer.allocate(TRAILER)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt((int) crc.getValue())
        .putInt((int) size)
        .array();
  }

  /**
   * Reads a text.
   *
   * @param file its bytes; closing the text closes it
   * @throws IOException if that is not gzip with a checksum
   */
  static PackedText open(InputStream file) throws IOException {
    byte[] header = file.readNBytes(HEADER.length);
    if (header.length < HEADER.length || !Arrays.equals(header, 0, 3, HEADER, 0, 3)) {
      throw new IOException("not compressed by gzip");
    }
    String name = Arrays.equals(header, HEADER) ? name(file) : "";
    if (!NAME.matcher(name).matches()) {
      throw new IOException("no checksum in its header, expected one as topo sweep writes it");
    }
    return new PackedText(new Unpacked(file), name.substring(PREFIX.length()));
  }

  private static String name(InputStream file) throws IOException {
    ByteArrayOutputStream name = new ByteArrayOutputStream();
    int read = file.read();
    while (read > 0 && name.size() < LONGEST_NAME) {
      name.write(read);
      read = file.read();
    }
    return name.toString(StandardCharsets.ISO_8859_1);
  }

  /** The checksum that the header states. */
  String checksum() {
    return checksum;
  }

  @Override
  public int read() throws IOException {
    byte[] single = new byte[1];
    return read(single, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(single[0]);
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int read = unpacked.read(buffer, offset, length);
    if (read > 0) {
      digest.update(buffer, offset, read);
      crc.update(buffer, offset, read);
      size += read;
    } else if (read < 0 && !isEnded) {
      isEnded = true;
      checkEnd();
    }
    return read;
  }

  private void checkEnd() throws IOException {
    InputStream rest = unpacked.rest();
    byte[] trailer = rest.readNBytes(TRAILER);
    if (trailer.length < TRAILER) {
      throw new IOException("it is cut off");
    }
    String computed = Checksum.of(digest);
    if (!computed.equals(checksum) || !Arrays.equals(trailer, trailer(crc, size))) {
      throw new IOException("its checksum is " + computed + ", expected " + checksum);
    }
    if (rest.read() >= 0) {
      throw new IOException("bytes after its end");
    }
  }

  @Override
  public void close() throws IOException {
    unpacked.close();
  }

  /** A stream of unpacked bytes that keeps the bytes behind the packed ones. */
  private static final class Unpacked extends InflaterInputStream {
    Unpacked(InputStream file) {
      super(file, new Inflater(true), BUFFER);
    }

    InputStream rest() {
      int left = inf.getRemaining();
      return new SequenceInputStream(new ByteArrayInputStream(buf, len - left, left), in);
    }

    @Override
    public void close() throws IOException {
      inf.end();
      super.close();
    }
  }
}
