package dev.topo.model.io;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Consumer;

/**
 * Takes the SHA-256 hash of a file while it is read. What a reader leaves is read when it closes
 * the stream: a fault there is one of the file.
 */
final class HashedInput extends FilterInputStream {
  /** Hashing a larger file, such as the trace of a job, would take longer than reading it. */
  private static final long MOST_BYTES = 64L << 20;

  private static final int BUFFER_BYTES = 1 << 16;

  private final MessageDigest digest;
  private final Consumer<String> hash;
  private long bytes;
  private boolean isDone;

  /**
   * @param hash takes the hash in hexadecimal digits; a file of more than 64 MiB has none
   */
  HashedInput(InputStream in, Consumer<String> hash) {
    super(in);
    this.hash = hash;
    try {
      this.digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  @Override
  public int read() throws IOException {
    byte[] single = new byte[1];
    return read(single, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(single[0]);
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int read = in.read(buffer, offset, length);
    if (read > 0) {
      bytes += read;
      if (bytes <= MOST_BYTES) {
        digest.update(buffer, offset, read);
      }
    } else if (read < 0 && !isDone) {
      isDone = true;
      if (bytes <= MOST_BYTES) {
        hash.accept(HexFormat.of().formatHex(digest.digest()));
      }
    }
    return read;
  }

  @Override
  public long skip(long count) throws IOException {
    return readNBytes((int) Math.min(count, BUFFER_BYTES)).length;
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  @Override
  public void close() throws IOException {
    try {
      byte[] buffer = new byte[BUFFER_BYTES];
      while (!isDone && bytes <= MOST_BYTES && read(buffer, 0, buffer.length) >= 0) {
        // the rest
      }
    } finally {
      isDone = true;
      super.close();
    }
  }
}
