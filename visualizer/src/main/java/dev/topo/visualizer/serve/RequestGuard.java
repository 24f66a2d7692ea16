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
 * Accepts requests from pages of this server only. A page of another site in the same browser can
 * send requests here, or let its own name resolve to this host; both are recognized by their
 * headers.
 *
 * @param token what a page must send; only who started the server knows it
 */
record RequestGuard(String token) {
  private static final int TOKEN_BYTES = 16;
  private static final String TOKEN = "X-Topo-Token";

  /** Any port: a tunnel has another one at its other end. */
  private static final Pattern HOST =
      Pattern.compile("(?:127\\.0\\.0\\.1|localhost|\\[::1])(?::\\d{1,5})?");

  /** A guard with a new token of 128 random bits. */
  static RequestGuard random() {
    byte[] token = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(token);
    return new RequestGuard(HexFormat.of().formatHex(token));
  }

  /**
   * Requires that a request names this host, and comes from a page of it if from any.
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
   * @throws RefusedRequest if it is missing or another
   */
  void checkToken(HttpExchange exchange) {
    byte[] sent = one(exchange.getRequestHeaders(), TOKEN).getBytes(StandardCharsets.UTF_8);
    // In constant time.
    if (!MessageDigest.isEqual(sent, token.getBytes(StandardCharsets.UTF_8))) {
      throw new RefusedRequest(
          403, "the token is missing or another: open the address that topo serve printed");
    }
  }

  /** The only value of a header; none where it is repeated. */
  private static String one(Headers headers, String name) {
    List<String> values = headers.getOrDefault(name, List.of());
    return values.size() == 1 ? values.get(0) : "";
  }

  /** The address of the page, with the token where browsers do not send it. */
  URI address(int port) {
    return URI.create("http://127.0.0.1:" + port + "/#token=" + token);
  }
}
