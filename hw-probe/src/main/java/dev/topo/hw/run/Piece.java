package dev.topo.hw.run;

import java.util.Arrays;

/**
 * Content of part of a buffer: a repeated period.
 *
 * @param period the repeated bytes, at least one unless the part is empty
 */
public record Piece(long offsetBytes, long lengthBytes, byte[] period) {
  public Piece {
    if (offsetBytes < 0 || lengthBytes < 0 || lengthBytes > 0 && period.length == 0) {
      throw new IllegalArgumentException("a piece of " + lengthBytes + " at " + offsetBytes);
    }
  }

  static Piece zeros(long offsetBytes, long lengthBytes) {
    return new Piece(offsetBytes, lengthBytes, new byte[1]);
  }

  public boolean isUniform() {
    return period.length == 1;
  }

  /** Copies part of the content to an array. */
  public void copy(long from, byte[] target, int at, int length) {
    if (isUniform()) {
      Arrays.fill(target, at, at + length, period[0]);
      return;
    }
    int done = 0;
    while (done < length) {
      int phase = (int) ((from + done) % period.length);
      int part = Math.min(length - done, period.length - phase);
      System.arraycopy(period, phase, target, at + done, part);
      done += part;
    }
  }
}
