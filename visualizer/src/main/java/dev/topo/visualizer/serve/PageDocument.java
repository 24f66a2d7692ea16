package dev.topo.visualizer.serve;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Objects;

/**
 * The page as it is sent: one document, whose style and script carry a number that only they know,
 * so that a browser runs nothing else in it.
 *
 * @param html the document
 * @param policy the value of Content-Security-Policy
 */
record PageDocument(String html, String policy) {
  private static final int NONCE_BYTES = 16;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String PAGE =
      resource("page.html")
          .replace("/*CSS*/", resource("page.css"))
          .replace("/*JS*/", resource("page.js"));

  /** The document with a new number. */
  static PageDocument create() {
    byte[] bytes = new byte[NONCE_BYTES];
    RANDOM.nextBytes(bytes);
    String nonce = HexFormat.of().formatHex(bytes);
    return new PageDocument(
        PAGE.replace("nonce=\"NONCE\"", "nonce=\"" + nonce + "\""),
        ("default-src 'none'; script-src 'nonce-%1$s'; style-src 'nonce-%1$s'; connect-src 'self';"
                + " img-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
            .formatted(nonce));
  }

  private static String resource(String name) {
    try (InputStream in = PageDocument.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
