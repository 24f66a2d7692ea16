package dev.topo.hw.run;

import dev.topo.model.operation.Call.CollectiveCall.DataType;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/** Counts the wrong elements of a result. Single use. */
final class Mismatches {
  private final DataType type;
  private final Tolerance tolerance;
  private long count;
  private Optional<First> first = Optional.empty();

  /**
   * First wrong element.
   *
   * @param element its index from the beginning of the result
   * @param found its bytes in hexadecimal, lowest first
   * @param expected the expected bytes
   */
  public record First(long element, String found, String expected) {}

  Mismatches(DataType type, Tolerance tolerance) {
    this.type = type;
    this.tolerance = tolerance;
  }

  /**
   * Compares part of the result.
   *
   * @param atBytes offset in the result, a whole number of elements
   */
  void compare(long atBytes, byte[] found, byte[] expected, int length) {
    int size = type.sizeBytes();
    int from = 0;
    while (from < length) {
      int equal = Arrays.mismatch(found, from, length, expected, from, length);
      if (equal < 0) {
        return;
      }
      int at = (from + equal) / size * size;
      if (isWrong(found, expected, at)) {
        count++;
        if (first.isEmpty()) {
          first = Optional.of(new First((atBytes + at) / size, hex(found, at), hex(expected, at)));
        }
      }
      from = at + size;
    }
  }

  private boolean isWrong(byte[] found, byte[] expected, int at) {
    return tolerance.equals(Tolerance.NONE)
        || !tolerance.allows(
            ElementCodec.get(type, found, at), ElementCodec.get(type, expected, at));
  }

  private String hex(byte[] bytes, int at) {
    return HexFormat.of().formatHex(bytes, at, at + type.sizeBytes());
  }

  long count() {
    return count;
  }

  Optional<First> first() {
    return first;
  }
}
