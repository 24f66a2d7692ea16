package dev.topo.workload.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The fields of a message, by the numbers of its schema. Of a field that is there several times the
 * last one counts, where a field has a single value. Immutable.
 */
public final class Message {
  /** How a field is encoded. */
  private enum Wire {
    VARINT,
    FIXED64,
    BYTES,
    FIXED32
  }

  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;
  private static final int WIRE_BITS = 3;
  private static final int VARINT_BITS = 7;
  private static final int MORE = 0x80;

  /**
   * A field.
   *
   * @param value of a varint
   * @param from where its bytes begin
   * @param to where they end
   */
  private record Field(int number, Wire wire, long value, int from, int to) {}

  private final byte[] bytes;
  private final String file;
  private final long position;
  private final List<Field> fields = new ArrayList<>();
  private int at;

  /**
   * A message in a part of an array.
   *
   * @param position where the array begins in the file
   */
  Message(byte[] bytes, int from, int to, String file, long position) {
    this.bytes = bytes;
    this.file = file;
    this.position = position;
    at = from;
    while (at < to) {
      fields.add(field(to));
    }
  }

  private Field field(int end) {
    int begin = at;
    long key = varint(end);
    int number = (int) (key >>> WIRE_BITS);
    if (number < 1) {
      throw MessageReader.wrong(file, position + begin, "field 0, expected 1 or more");
    }
    int wire = (int) (key & ((1 << WIRE_BITS) - 1));
    if (wire == VARINT) {
      long value = varint(end);
      return new Field(number, Wire.VARINT, value, at, at);
    }
    long length =
        switch (wire) {
          case FIXED64 -> Long.BYTES;
          case FIXED32 -> Integer.BYTES;
          case BYTES -> varint(end);
          default ->
              throw MessageReader.wrong(
                  file,
                  position + begin,
                  "field " + number + " of wire type " + wire + ", expected 0, 1, 2 or 5");
        };
    if (length < 0 || length > end - at) {
      throw MessageReader.wrong(
          file,
          position + begin,
          "field %d of %d bytes, of which %d are there".formatted(number, length, end - at));
    }
    int from = at;
    at += (int) length;
    Wire kind = wire == BYTES ? Wire.BYTES : wire == FIXED64 ? Wire.FIXED64 : Wire.FIXED32;
    return new Field(number, kind, 0, from, at);
  }

  private long varint(int end) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += VARINT_BITS) {
      if (at == end) {
        throw MessageReader.wrong(file, position + at, "a number ends with its message");
      }
      int next = bytes[at++];
      value |= (long) (next & (MORE - 1)) << shift;
      if ((next & MORE) == 0) {
        return value;
      }
    }
    throw MessageReader.wrong(file, position + at, "a number of more than 10 bytes");
  }

  private Optional<Field> last(int number, Wire wire) {
    Field found = null;
    for (Field field : fields) {
      found = field.number == number && field.wire == wire ? field : found;
    }
    return Optional.ofNullable(found);
  }

  /** A whole number, or a truth value as 1; empty if it is not there. */
  public OptionalLong number(int number) {
    Optional<Field> field = last(number, Wire.VARINT);
    return field.isPresent() ? OptionalLong.of(field.get().value) : OptionalLong.empty();
  }

  /** A text; empty if it is not there. */
  public Optional<String> text(int number) {
    return last(number, Wire.BYTES)
        .map(field -> new String(bytes, field.from, field.to - field.from, StandardCharsets.UTF_8));
  }

  /** A message in this one; empty if it is not there. */
  public Optional<Message> message(int number) {
    return last(number, Wire.BYTES).map(this::message);
  }

  /** All messages of a field that is repeated. */
  public List<Message> messages(int number) {
    return fields.stream()
        .filter(field -> field.number == number && field.wire == Wire.BYTES)
        .map(this::message)
        .toList();
  }

  private Message message(Field field) {
    return new Message(bytes, field.from, field.to, file, position);
  }
}
