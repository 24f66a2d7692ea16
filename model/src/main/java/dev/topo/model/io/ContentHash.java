package dev.topo.model.io;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 of a list of parts; each part is hashed with its length, so that different lists never
 * give the same text.
 */
public final class ContentHash {
  /** Hexadecimal digits of a key: 64 bits, enough to keep the keys of a sweep distinct. */
  private static final int KEY_DIGITS = 16;

  private final MessageDigest digest = sha256();

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }

  public ContentHash add(Object part) {
    return add(String.valueOf(part).getBytes(StandardCharsets.UTF_8));
  }

  /** Adds bytes as a part. */
  public ContentHash add(byte[] part) {
    digest.update((part.length + ":").getBytes(StandardCharsets.UTF_8));
    digest.update(part);
    return this;
  }

  /**
   * The hash of a file, which need not fit into memory.
   *
   * @param expected the expected content, as in {@code a trace}
   * @param inputs opens the file
   * @throws dev.topo.model.io.TopologyFormatException if it cannot be read
   */
  public static String ofFile(Path file, String expected, Inputs inputs) {
    ContentHash hash = new ContentHash();
    try (InputStream in = inputs.open(file, expected)) {
      in.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), hash.digest));
    } catch (IOException e) {
      throw FileFault.unreadable(file.toString(), e);
    }
    return hash.key();
  }

  /** The hash as 16 hexadecimal digits. May be called once only. */
  public String key() {
    return HexFormat.of().formatHex(digest.digest()).substring(0, KEY_DIGITS);
  }
}
