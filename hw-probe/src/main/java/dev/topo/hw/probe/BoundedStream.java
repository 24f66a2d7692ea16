package dev.topo.hw.probe;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Stream of an archive with a limit on the bytes read: otherwise a header of any claimed length
 * would be read into memory.
 */
final class BoundedStream extends FilterInputStream {
  private long allowed;

  BoundedStream(InputStream in) {
    super(in);
  }

  /** Sets the limit to this number of further bytes. */
  void allow(long bytes) {
    allowed = bytes;
  }

  @Override
  public int read() throws IOException {
    byte[] single = new byte[1];
    return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (allowed <= 0) {
      throw new IOException("a header is too long");
    }
    int count = in.read(buffer, offset, (int) Math.min(length, allowed));
    allowed -= Math.max(0, count);
    return count;
  }

  @Override
  public long skip(long bytes) throws IOException {
    if (allowed <= 0 && bytes > 0) {
      throw new IOException("a header is too long");
    }
    long count = in.skip(Math.min(bytes, allowed));
    allowed -= count;
    return count;
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
