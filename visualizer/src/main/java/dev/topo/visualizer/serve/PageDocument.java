package dev.topo.visualizer.serve;

import dev.topo.model.io.ResourceTable;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The page as sent to the browser: one document whose style and script carry a nonce, so that the
 * browser runs nothing else in it.
 *
 * @param html the document
 * @param policy the value of Content-Security-Policy
 */
record PageDocument(String html, String policy) {
  private static final int NONCE_BYTES = 16;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String PAGE =
      ResourceTable.text(PageDocument.class, "page.html")
          .replace("/*CSS*/", ResourceTable.text(PageDocument.class, "page.css"))
          .replace("/*JS*/", ResourceTable.text(PageDocument.class, "page.js"));

  /** Returns the document with a new nonce. */
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
}
