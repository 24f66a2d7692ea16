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
 * BigInteger}, {@code Double}, {@code Boolean}, {@code byte[]} and {@link #NONE}. Single use.
 */
final class PickleReader {
  /** First byte of a pickle of protocol 2 or newer. */
  public static final int FIRST_BYTE = 0x80;

  /** Python's {@code None}. */
  public static final Object NONE = Optional.empty();

  /** Maximum length of a Python integer, in bytes and in digits: enough for any count or time. */
  private static final int MAX_LONG_BYTES = 64;

  private static final int MAX_DIGITS = 3 * MAX_LONG_BYTES;

  /** Opcodes that import, call or build something, with the effect for which they are refused. */
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
   * Reads a file that consists of one pickle, and returns its value.
   *
   * @param file name of the file for messages
   * @throws TopologyFormatException if the pickle is damaged or contains more than plain data
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
      execute(opcode);
    }
    Object value = Container.value(stack.pop());
    in.requireEnd();
    return value;
  }

  private void execute(int opcode) throws IOException {
    switch (opcode) {
      case 0x80 -> requireProtocol(in.next());
      case 0x95 -> in.bytes(8); // FRAME: the length of the following opcodes, which is not needed
      case 'N' -> stack.push(NONE);
      case 0x88 -> stack.push(true);
      case 0x89 -> stack.push(false);
      case 'I' -> stack.push(decimal(in.line()));
      case 'L' -> stack.push(decimal(in.line().replaceFirst("L$", "")));
      case 'J' -> stack.push((long) in.littleEndian(4).getInt());
      case 'K' -> stack.push((long) in.next());
      case 'M' -> stack.push((long) (in.littleEndian(2).getShort() & 0xffff));
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
      case 'l', 't', 0x91 -> stack.pushList(stack.popToMark());
      case 'd' -> {
        List<Object> items = stack.popToMark();
        stack.push(Container.dictionary());
        stack.put(items);
      }
      case 0x85 -> stack.pushList(stack.popValues(1));
      case 0x86 -> stack.pushList(stack.popValues(2));
      case 0x87 -> stack.pushList(stack.popValues(3));
      case 'a' -> stack.append(stack.popValues(1));
      case 'e', 0x90 -> stack.append(stack.popToMark());
      case 's' -> stack.put(stack.popValues(2));
      case 'u' -> stack.put(stack.popToMark());
      case '0' -> stack.pop();
      case '1' -> stack.popToMark();
      case '2' -> stack.duplicateTop();
      case 'p' -> stack.memoize(memoIndex(in.line()));
      case 'q' -> stack.memoize(in.next());
      case 'r' -> stack.memoize(in.memoIndex());
      case 0x94 -> stack.memoizeNext();
      case 'g' -> stack.pushMemoized(memoIndex(in.line()));
      case 'h' -> stack.pushMemoized(in.next());
      case 'j' -> stack.pushMemoized(in.memoIndex());
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

  private void requireProtocol(int number) {
    if (number > 5) {
      throw in.wrong("pickle protocol " + number + ", expected 0 to 5");
    }
  }

  private int memoIndex(String text) {
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
      return compact(new BigInteger(text.length() > MAX_DIGITS ? "" : text));
    } catch (NumberFormatException e) {
      throw notANumber(text);
    }
  }

  private Object number(int length) throws IOException {
    if (length > MAX_LONG_BYTES) {
      throw in.outOfRange(String.valueOf(length));
    }
    byte[] little = in.bytes(length);
    byte[] big = new byte[length + 1];
    for (int i = 0; i < length; i++) {
      big[length - i] = little[i];
    }
    big[0] = (byte) (length > 0 && little[length - 1] < 0 ? -1 : 0);
    return compact(new BigInteger(big));
  }

  private static Object compact(BigInteger number) {
    return number.bitLength() < Long.SIZE ? (Object) number.longValue() : number;
  }

  private Object real(String text) {
    try {
      return Double.parseDouble(text.length() > MAX_DIGITS ? "" : text);
    } catch (NumberFormatException e) {
      throw notANumber(text);
    }
  }

  private TopologyFormatException notANumber(String text) {
    String shown = text.length() > MAX_DIGITS ? text.substring(0, MAX_DIGITS) + "…" : text;
    return in.wrong("\"" + shown + "\" is not a number" + EXPECTED);
  }
}
