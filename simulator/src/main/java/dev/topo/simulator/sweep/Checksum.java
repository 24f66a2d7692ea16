package dev.topo.simulator.sweep;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 in hexadecimal digits. */
final class Checksum {
  private Checksum() {}

  /** A digest of nothing. */
  static MessageDigest begin() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** The checksum of what a digest was given; to be called once. */
  static String of(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  /** The checksum of bytes. */
  static String of(byte[] bytes) {
    MessageDigest digest = begin();
    digest.update(bytes);
    return of(digest);
  }

  /** The checksum of a text in UTF-8. */
  static String of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }
}
