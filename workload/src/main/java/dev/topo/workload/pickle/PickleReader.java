package dev.topo.workload.pickle;

import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads one pickled value of data. An opcode that would import a name, call a function or build an
 * object is refused with its position in bytes, so nothing of the file is ever run. Values are
 * {@code Map}, {@code List} (also for tuples and sets), {@code String}, {@code Long}, {@link
 * BigInteger}, {@code Double}, {@code Boolean}, {@code byte[]} and {@link #NONE}. Used once.
 */
public final class PickleReader {
  /** The first byte of a pickle of protocol 2 or newer. */
  public static final int FIRST = 0x80;

  /** Python's {@code None}. */
  public static final Object NONE = Optional.empty();

  /** Python's longest number that a count or time needs. */
  private static final int MOST_LONG_BYTES = 64;

  private static final int MOST_BYTES = 256 << 20;
  private static final int PIECE = 1 << 16;

  private static final String EXPECTED =
      ", expected a pickle of numbers, texts, lists and dictionaries only";

  /** Opcodes that import, call or build, by what they would do. */
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

  private final InputStream in;
  private final String file;
  private long position;
  private long opcodeAt;
  private List<Object> stack = new ArrayList<>();
  private final Deque<List<Object>> marked = new ArrayDeque<>();
  private final Map<Integer, Object> memo = new HashMap<>();

  private PickleReader(InputStream in, String file) {
    this.in = in;
    this.file = file;
  }

  /**
   * The value of a pickle.
   *
   * @param file name of the file for messages
   * @throws TopologyFormatException if it is damaged, or more than data
   */
  public static Object read(InputStream in, String file) {
    PickleReader reader = new PickleReader(in, file);
    try {
      return reader.value();
    } catch (EOFException e) {
      throw reader.wrong("the file ends within a value" + EXPECTED);
    } catch (IOException e) {
      throw reader.wrong("cannot be read (" + e.getMessage() + ")" + EXPECTED);
    }
  }

  private Object value() throws IOException {
    while (true) {
      opcodeAt = position;
      int opcode = next();
      if (opcode == '.') {
        return pop();
      }
      step(opcode);
    }
  }

  private void step(int opcode) throws IOException {
    switch (opcode) {
      case 0x80 -> protocol(next());
      case 0x95 -> bytes(8); // FRAME: the length of what follows
      case 'N' -> push(NONE);
      case 0x88 -> push(true);
      case 0x89 -> push(false);
      case 'I' -> push(decimal(line()));
      case 'L' -> push(decimal(line().replaceFirst("L$", "")));
      case 'J' -> push((long) little(4).getInt());
      case 'K' -> push((long) next());
      case 'M' -> push((long) (little(2).getShort() & 0xffff));
      case 0x8a -> push(number(next()));
      case 0x8b -> push(number(length(4)));
      case 'F' -> push(real(line()));
      case 'G' -> push(ByteBuffer.wrap(bytes(8)).getDouble());
      case 'V' -> push(line());
      case 'X' -> push(text(length(4)));
      case 0x8c -> push(text(next()));
      case 0x8d -> push(text(length(8)));
      case 'U' -> push(text(next()));
      case 'T' -> push(text(length(4)));
      case 'C' -> push(bytes(next()));
      case 'B' -> push(bytes(length(4)));
      case 0x8e, 0x96 -> push(bytes(length(8)));
      case ']', ')', 0x8f -> push(new ArrayList<>());
      case '}' -> push(new LinkedHashMap<>());
      case '(' -> {
        marked.push(stack);
        stack = new ArrayList<>();
      }
      case 'l', 't', 0x91 -> push(toMark());
      case 'd' -> {
        List<Object> items = toMark();
        Map<Object, Object> made = new LinkedHashMap<>();
        put(made, items);
        push(made);
      }
      case 0x85 -> push(taken(1));
      case 0x86 -> push(taken(2));
      case 0x87 -> push(taken(3));
      case 'a' -> append(taken(1));
      case 'e', 0x90 -> append(toMark());
      case 's' -> {
        List<Object> pair = taken(2);
        put(dictionary(), pair);
      }
      case 'u' -> {
        List<Object> items = toMark();
        put(dictionary(), items);
      }
      case '0' -> pop();
      case '1' -> toMark();
      case '2' -> push(top());
      case 'p' -> memo.put(index(line()), top());
      case 'q' -> memo.put(next(), top());
      case 'r' -> memo.put(length(4), top());
      case 0x94 -> memo.put(memo.size(), top());
      case 'g' -> push(memo(index(line())));
      case 'h' -> push(memo(next()));
      case 'j' -> push(memo(length(4)));
      default -> throw refusal(opcode);
    }
  }

  private TopologyFormatException refusal(int opcode) {
    String what = REFUSED.get(opcode);
    return wrong(
        what == null
            ? "0x%02x is no opcode of a pickle".formatted(opcode) + EXPECTED
            : "opcode " + what + ": refused" + EXPECTED);
  }

  private void protocol(int number) {
    if (number > 5) {
      throw wrong("pickle protocol " + number + ", expected 0 to 5");
    }
  }

  private void push(Object value) {
    stack.add(value);
  }

  private Object pop() {
    if (stack.isEmpty()) {
      throw wrong("no value is left" + EXPECTED);
    }
    return stack.remove(stack.size() - 1);
  }

  private Object top() {
    if (stack.isEmpty()) {
      throw wrong("no value is left" + EXPECTED);
    }
    return stack.get(stack.size() - 1);
  }

  private List<Object> toMark() {
    if (marked.isEmpty()) {
      throw wrong("no mark is left" + EXPECTED);
    }
    List<Object> items = stack;
    stack = marked.pop();
    return items;
  }

  private List<Object> taken(int count) {
    List<Object> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      items.add(0, pop());
    }
    return items;
  }

  private void append(List<Object> items) {
    if (!(top() instanceof List<?>)) {
      throw wrong("appends to what is no list" + EXPECTED);
    }
    @SuppressWarnings("unchecked") // lists are made here only, of any values
    List<Object> list = (List<Object>) top();
    if (items.contains(list) && items.stream().anyMatch(item -> item == list)) {
      throw wrong("a list contains itself" + EXPECTED);
    }
    list.addAll(items);
  }

  private Map<Object, Object> dictionary() {
    if (!(top() instanceof Map<?, ?>)) {
      throw wrong("sets an entry of what is no dictionary" + EXPECTED);
    }
    @SuppressWarnings("unchecked") // dictionaries are made here only, of any values
    Map<Object, Object> map = (Map<Object, Object>) top();
    return map;
  }

  private void put(Map<Object, Object> map, List<Object> items) {
    if (items.size() % 2 != 0) {
      throw wrong("a key has no value" + EXPECTED);
    }
    for (int i = 0; i < items.size(); i += 2) {
      if (items.get(i) instanceof List<?> || items.get(i) instanceof Map<?, ?>) {
        continue; // no file of ours has such a key, and equal ones would need all their content
      }
      map.put(items.get(i), items.get(i + 1));
    }
  }

  private Object memo(int index) {
    Object value = memo.get(index);
    if (value == null) {
      throw wrong("nothing is kept under " + index + EXPECTED);
    }
    return value;
  }

  private int index(String text) {
    return decimal(text) instanceof Long number && number >= 0 && number <= Integer.MAX_VALUE
        ? number.intValue()
        : length();
  }

  private int length() {
    throw wrong("a length or place is out of range" + EXPECTED);
  }

  private int length(int width) throws IOException {
    long value = width == 4 ? little(4).getInt() & 0xffffffffL : little(8).getLong();
    return value < 0 || value > MOST_BYTES ? length() : (int) value;
  }

  private Object decimal(String text) {
    if (text.equals("00") || text.equals("01")) {
      return text.equals("01");
    }
    try {
      return small(new BigInteger(text.length() > 3 * MOST_LONG_BYTES ? "" : text));
    } catch (NumberFormatException e) {
      throw wrong("\"" + text + "\" is not a number" + EXPECTED);
    }
  }

  private Object number(int length) throws IOException {
    if (length > MOST_LONG_BYTES) {
      length();
    }
    byte[] little = bytes(length);
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
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw wrong("\"" + text + "\" is not a number" + EXPECTED);
    }
  }

  private String text(int length) throws IOException {
    return new String(bytes(length), StandardCharsets.UTF_8);
  }

  private ByteBuffer little(int width) throws IOException {
    return ByteBuffer.wrap(bytes(width)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = next(); c != '\n'; c = next()) {
      line.append((char) c);
      if (line.length() > MOST_BYTES) {
        length();
      }
    }
    return line.toString();
  }

  private int next() throws IOException {
    int next = in.read();
    if (next < 0) {
      throw new EOFException();
    }
    position++;
    return next;
  }

  /** Read piece by piece: a damaged length must not ask for memory that the file does not fill. */
  private byte[] bytes(int length) throws IOException {
    byte[] read = in.readNBytes(Math.min(length, PIECE));
    ByteArrayOutputStream all = new ByteArrayOutputStream(read.length);
    while (true) {
      all.write(read);
      position += read.length;
      if (all.size() == length) {
        return all.toByteArray();
      }
      if (read.length == 0) {
        throw new EOFException();
      }
      read = in.readNBytes(Math.min(length - all.size(), PIECE));
    }
  }

  private TopologyFormatException wrong(String what) {
    return new TopologyFormatException(SourceLocation.of(file), "byte " + opcodeAt + ": " + what);
  }
}
