package dev.topo.inspect.trace;

import static dev.topo.inspect.trace.PickleBytes.EXPECTED;

import dev.topo.model.io.TopologyFormatException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads one pickled value of plain data. An opcode that would import a name, call a function or
 * build an object is rejected with its byte offset, so that no code from the file ever runs. Values
 * are {@code Map}, {@code List} (also for tuples and sets), {@code String}, {@code Long}, {@link
 * BigInteger}, {@code Double}, {@code Boolean}, {@code byte[]} and {@link #NONE}. Used once.
 */
final class PickleReader {
  /** First byte of a pickle of protocol 2 or newer. */
  public static final int FIRST = 0x80;

  /** Python's {@code None}. */
  public static final Object NONE = Optional.empty();

  /** Longest Python integer, in bytes or digits; enough for any count or time. */
  private static final int MOST_LONG_BYTES = 64;

  private static final int MOST_DIGITS = 3 * MOST_LONG_BYTES;

  /** Opcodes that import, call or build, with their effect. */
  private static final Map<Integer, String> REFUSED =
      Map.ofEntries(
          Map.entry((int) 'c', "GLOBAL imports a name"),
          Map.entry(0x93, "STACK_GLOBAL imports a name"),
          Map.entry((int) 'R', "REDUCE calls a function"),
          Map.entry((int) 'i', "INST makes an object"),
          Map.entry((int) 'o', "OBJ makes an object"),
          Map.entry(0x81, "NEWOBJ makes an object"),
          Map.entry(0x92, "NEWOBJ_EX makes an object"),
          Map.entry((int) 'b', "BUILD changes an object"),
          Map.entry((int) 'P', "PERSID refers to another file"),
          Map.entry((int) 'Q', "BINPERSID refers to another file"),
          Map.entry(0x82, "EXT1 imports a name"),
          Map.entry(0x83, "EXT2 imports a name"),
          Map.entry(0x84, "EXT4 imports a name"),
          Map.entry(0x97, "NEXT_BUFFER refers to other data"),
          Map.entry(0x98, "READONLY_BUFFER refers to other data"));

  private final PickleBytes in;
  private final PickleStack stack;

  private PickleReader(PickleBytes in) {
    this.in = in;
    this.stack = new PickleStack(in);
  }

  /**
   * Value of a pickle, which ends its file.
   *
   * @param file name of the file for messages
   * @throws TopologyFormatException if it is damaged or contains more than data
   */
  static Object read(InputStream in, String file) {
    PickleBytes bytes = new PickleBytes(in, file);
    try {
      return new PickleReader(bytes).value();
    } catch (EOFException e) {
      throw bytes.wrong("the file ends within a value" + EXPECTED);
    } catch (IOException e) {
      throw bytes.wrong("cannot be read (" + e.getMessage() + ")" + EXPECTED);
    }
  }

  private Object value() throws IOException {
    for (int opcode = in.opcode(); opcode != '.'; opcode = in.opcode()) {
      step(opcode);
    }
    Object value = Container.value(stack.pop());
    in.requireEnd();
    return value;
  }

  private void step(int opcode) throws IOException {
    switch (opcode) {
      case 0x80 -> protocol(in.next());
      case 0x95 -> in.bytes(8); // FRAME: the length of the rest
      case 'N' -> stack.push(NONE);
      case 0x88 -> stack.push(true);
      case 0x89 -> stack.push(false);
      case 'I' -> stack.push(decimal(in.line()));
      case 'L' -> stack.push(decimal(in.line().replaceFirst("L$", "")));
      case 'J' -> stack.push((long) in.little(4).getInt());
      case 'K' -> stack.push((long) in.next());
      case 'M' -> stack.push((long) (in.little(2).getShort() & 0xffff));
      case 0x8a -> stack.push(number(in.next()));
      case 0x8b -> stack.push(number(in.length(4)));
      case 'F' -> stack.push(real(in.line()));
      case 'G' -> stack.push(ByteBuffer.wrap(in.bytes(8)).getDouble());
      case 'V' -> stack.push(in.line());
      case 'X' -> stack.push(in.text(in.length(4)));
      case 0x8c -> stack.push(in.text(in.next()));
      case 0x8d -> stack.push(in.text(in.length(8)));
      case 'U' -> stack.push(in.text(in.next()));
      case 'T' -> stack.push(in.text(in.length(4)));
      case 'C' -> stack.push(in.bytes(in.next()));
      case 'B' -> stack.push(in.bytes(in.length(4)));
      case 0x8e, 0x96 -> stack.push(in.bytes(in.length(8)));
      case ']', ')', 0x8f -> stack.push(Container.list());
      case '}' -> stack.push(Container.dictionary());
      case '(' -> stack.mark();
      case 'l', 't', 0x91 -> stack.pushList(stack.toMark());
      case 'd' -> {
        List<Object> items = stack.toMark();
        stack.push(Container.dictionary());
        stack.put(items);
      }
      case 0x85 -> stack.pushList(stack.taken(1));
      case 0x86 -> stack.pushList(stack.taken(2));
      case 0x87 -> stack.pushList(stack.taken(3));
      case 'a' -> stack.append(stack.taken(1));
      case 'e', 0x90 -> stack.append(stack.toMark());
      case 's' -> stack.put(stack.taken(2));
      case 'u' -> stack.put(stack.toMark());
      case '0' -> stack.pop();
      case '1' -> stack.toMark();
      case '2' -> stack.repeat();
      case 'p' -> stack.keepAs(place(in.line()));
      case 'q' -> stack.keepAs(in.next());
      case 'r' -> stack.keepAs(in.place());
      case 0x94 -> stack.keepNext();
      case 'g' -> stack.pushKept(place(in.line()));
      case 'h' -> stack.pushKept(in.next());
      case 'j' -> stack.pushKept(in.place());
      default -> throw refusal(opcode);
    }
  }

  private TopologyFormatException refusal(int opcode) {
    String what = REFUSED.get(opcode);
    return in.wrong(
        what == null
            ? "0x%02x is no opcode of a pickle".formatted(opcode) + EXPECTED
            : "opcode " + what + ": refused" + EXPECTED);
  }

  private void protocol(int number) {
    if (number > 5) {
      throw in.wrong("pickle protocol " + number + ", expected 0 to 5");
    }
  }

  private int place(String text) {
    if (decimal(text) instanceof Long number && number >= 0 && number <= Integer.MAX_VALUE) {
      return number.intValue();
    }
    throw in.outOfRange(text);
  }

  private Object decimal(String text) {
    if (text.equals("00") || text.equals("01")) {
      return text.equals("01");
    }
    try {
      return small(new BigInteger(text.length() > MOST_DIGITS ? "" : text));
    } catch (NumberFormatException e) {
      throw notANumber(text);
    }
  }

  private Object number(int length) throws IOException {
    if (length > MOST_LONG_BYTES) {
      throw in.outOfRange(String.valueOf(length));
    }
    byte[] little = in.bytes(length);
    byte[] big = new byte[length + 1];
    for (int i = 0; i < length; i++) {
      big[length - i] = little[i];
    }
    big[0] = (byte) (length > 0 && little[length - 1] < 0 ? -1 : 0);
    return small(new BigInteger(big));
  }

  private static Object small(BigInteger number) {
    return number.bitLength() < Long.SIZE ? (Object) number.longValue() : number;
  }

  private Object real(String text) {
    try {
      return Double.parseDouble(text.length() > MOST_DIGITS ? "" : text);
    } catch (NumberFormatException e) {
      throw notANumber(text);
    }
  }

  private TopologyFormatException notANumber(String text) {
    String shown = text.length() > MOST_DIGITS ? text.substring(0, MOST_DIGITS) + "…" : text;
    return in.wrong("\"" + shown + "\" is not a number" + EXPECTED);
  }
}
