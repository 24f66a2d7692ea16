package dev.topo.inspect.lint;

import java.math.BigInteger;

/**
 * Number as C's {@code strtol} with base 0 reads it and NCCL stores it in an {@code int}: the
 * leading digits of the text, or 0, without an error ({@code nccl:src/graph/xml.h#xmlGetAttrInt}).
 *
 * @param value value that NCCL uses
 * @param form anomaly of the text
 */
record CNumber(int value, Form form) {
  /** Anomalies of a text that should be a number. */
  public enum Form {
    NUMBER,
    /** Empty text, which C reads as 0. */
    EMPTY,
    /** A number followed by other text. */
    WITH_TAIL,
    NONE,
    /** A number with a leading zero, which C reads as octal. */
    OCTAL,
    /** A number beyond the range of an {@code int}. */
    TOO_LARGE
  }

  static CNumber parse(String text) {
    String body = text.stripLeading();
    if (body.isEmpty()) {
      return new CNumber(0, Form.EMPTY);
    }
    boolean isNegative = body.charAt(0) == '-';
    int start = isNegative || body.charAt(0) == '+' ? 1 : 0;
    int radix = 10;
    if (body.regionMatches(true, start, "0x", 0, 2)
        && start + 2 < body.length()
        && Character.digit(body.charAt(start + 2), 16) >= 0) {
      radix = 16;
      start += 2;
    } else if (start + 1 < body.length() && body.charAt(start) == '0') {
      radix = 8;
    }
    int end = start;
    while (end < body.length() && isDigit(body.charAt(end), radix)) {
      end++;
    }
    if (end == start) {
      return new CNumber(0, Form.NONE);
    }
    BigInteger value = new BigInteger(body.substring(start, end), radix);
    BigInteger signed = isNegative ? value.negate() : value;
    BigInteger asLong =
        signed.min(BigInteger.valueOf(Long.MAX_VALUE)).max(BigInteger.valueOf(Long.MIN_VALUE));
    return new CNumber(asLong.intValue(), form(body, end, radix, signed));
  }

  private static boolean isDigit(char c, int radix) {
    return c < 0x80 && Character.digit(c, radix) >= 0;
  }

  private static Form form(String body, int end, int radix, BigInteger value) {
    if (radix == 8 && end < body.length() && isDigit(body.charAt(end), 10)) {
      return Form.OCTAL;
    }
    if (end < body.length()) {
      return Form.WITH_TAIL;
    }
    if (value.bitLength() > Integer.SIZE - 1) {
      return Form.TOO_LARGE;
    }
    return radix == 8 && value.intValue() > 7 ? Form.OCTAL : Form.NUMBER;
  }
}
