package dev.topo.visualizer.serve;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Accepts only requests from pages of this server. A page of another site in the same browser can
 * send requests here, or let its own host name resolve to this host; both are recognised by their
 * headers.
 *
 * @param token the secret that a page must send; only the user who started the server knows it
 */
record RequestGuard(String token) {
  private static final int TOKEN_BYTES = 16;
  private static final String TOKEN_HEADER = "X-Topo-Token";

  /** Any port is accepted, because the other end of a tunnel may use a different one. */
  private static final Pattern HOST =
      Pattern.compile("(?:127\\.0\\.0\\.1|localhost|\\[::1])(?::\\d{1,5})?");

  /** Returns a guard with a new token of 128 random bits. */
  static RequestGuard random() {
    byte[] token = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(token);
    return new RequestGuard(HexFormat.of().formatHex(token));
  }

  /**
   * Requires that a request names this host and, if it comes from a page, that the page is of this
   * server.
   *
   * @throws RefusedRequest if not
   */
  void checkSite(HttpExchange exchange) {
    Headers headers = exchange.getRequestHeaders();
    String host = one(headers, "Host");
    if (!HOST.matcher(host).matches()) {
      throw new RefusedRequest(421, "the server answers to 127.0.0.1 and localhost only");
    }
    String origin = headers.containsKey("Origin") ? one(headers, "Origin") : "";
    if (!origin.isEmpty() && !origin.equals("http://" + host)) {
      throw new RefusedRequest(403, "the request comes from a page of another site");
    }
  }

  /**
   * Requires the token.
   *
   * @throws RefusedRequest if the token is missing or wrong
   */
  void checkToken(HttpExchange exchange) {
    byte[] sent = one(exchange.getRequestHeaders(), TOKEN_HEADER).getBytes(StandardCharsets.UTF_8);
    // Constant-time comparison.
    if (!MessageDigest.isEqual(sent, token.getBytes(StandardCharsets.UTF_8))) {
      throw new RefusedRequest(
          403, "the token is missing or another: open the address that topo serve printed");
    }
  }

  /** The value of a header; empty if it is absent or repeated. */
  private static String one(Headers headers, String name) {
    List<String> values = headers.getOrDefault(name, List.of());
    return values.size() == 1 ? values.get(0) : "";
  }

  /** The address of the page, with the token in the fragment, which browsers do not send. */
  URI address(int port) {
    return URI.create("http://127.0.0.1:" + port + "/#token=" + token);
  }
}
