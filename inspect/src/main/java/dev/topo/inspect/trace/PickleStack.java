package dev.topo.inspect.trace;

import static dev.topo.inspect.trace.PickleBytes.EXPECTED;

import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Values of a pickle so far: the stack with its marks, and the memo. Their number, depth and size
 * are bounded.
 */
final class PickleStack {
  /** Largest depth; a dump of Flight Recorder has a depth of 6. */
  private static final int MOST_DEPTH = 100;

  /**
   * Most values of a container per byte read, so that traversing it takes time proportional to the
   * file. A value takes at least a byte; a repeated one takes two, and those of dumps, a line of
   * source code, have 7 values.
   */
  private static final int MOST_VALUES_PER_BYTE = 64;

  /** Most memory of all values, in bytes: a dump of 100,000 calls, of which PyTorch keeps 2,000. */
  private static final long MOST_KEPT_BYTES = 512L << 20;

  // Approximate memory of each in Java.
  private static final int VALUE_BYTES = 24;
  private static final int TEXT_BYTES = 56;
  private static final int CONTAINER_BYTES = 96;
  private static final int MEMO_BYTES = 48;
  private static final int PLACE_BYTES = 8;

  private final PickleBytes in;
  private List<Object> stack = new ArrayList<>();
  private final Deque<List<Object>> marked = new ArrayDeque<>();
  private final Map<Integer, Object> memo = new HashMap<>();
  private long keptBytes;

  /**
   * Empty stack.
   *
   * @param in supplies the position for errors
   */
  PickleStack(PickleBytes in) {
    this.in = in;
  }

  void push(Object value) {
    keep(PLACE_BYTES + size(value));
    stack.add(value);
  }

  private static long size(Object value) {
    if (value instanceof Container) {
      return CONTAINER_BYTES;
    }
    if (value instanceof String text) {
      return TEXT_BYTES + text.length();
    }
    if (value instanceof byte[] bytes) {
      return VALUE_BYTES + bytes.length;
    }
    return value instanceof BigInteger ? TEXT_BYTES : VALUE_BYTES;
  }

  private void keep(long bytes) {
    keptBytes += bytes;
    if (keptBytes > MOST_KEPT_BYTES) {
      throw in.wrong(
          "values of more than %s MiB, expected the dump of a rank"
              .formatted(MOST_KEPT_BYTES >> 20));
    }
  }

  Object pop() {
    top();
    return stack.remove(stack.size() - 1);
  }

  Object top() {
    if (stack.isEmpty()) {
      throw in.wrong("no value is left" + EXPECTED);
    }
    return stack.get(stack.size() - 1);
  }

  /** Pushes the last value again. */
  void repeat() {
    again(top());
  }

  private void again(Object value) {
    if (value instanceof Container container) {
      container.hold();
    }
    keep(PLACE_BYTES);
    stack.add(value);
  }

  void mark() {
    if (marked.size() == MOST_DEPTH) {
      throw in.wrong("more than " + MOST_DEPTH + " open marks" + EXPECTED);
    }
    marked.push(stack);
    stack = new ArrayList<>();
  }

  /** Pops the values since the last mark. */
  List<Object> toMark() {
    if (marked.isEmpty()) {
      throw in.wrong("no mark is left" + EXPECTED);
    }
    List<Object> items = stack;
    stack = marked.pop();
    return items;
  }

  /** Pops the last values. */
  List<Object> taken(int count) {
    List<Object> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      items.add(0, pop());
    }
    return items;
  }

  void pushList(List<Object> items) {
    push(Container.list());
    append(items);
  }

  /** Appends to the list on top of the stack. */
  void append(List<Object> items) {
    if (!(top() instanceof Container list) || !list.isList()) {
      throw in.wrong("appends to what is no list" + EXPECTED);
    }
    requireGrowing(list);
    items.forEach(list::append);
    requireBounds(list);
  }

  /** Sets entries of the dictionary on top of the stack. */
  void put(List<Object> items) {
    if (!(top() instanceof Container dictionary) || dictionary.isList()) {
      throw in.wrong("sets an entry of what is no dictionary" + EXPECTED);
    }
    if (items.size() % 2 != 0) {
      throw in.wrong("a key has no value" + EXPECTED);
    }
    requireGrowing(dictionary);
    for (int i = 0; i < items.size(); i += 2) {
      dictionary.put(items.get(i), items.get(i + 1));
    }
    keep((long) items.size() * PLACE_BYTES);
    requireBounds(dictionary);
  }

  private void requireGrowing(Container container) {
    if (container.isHeld()) {
      throw in.wrong(
          "a %s contains itself, or changes after its use"
                  .formatted(container.isList() ? "list" : "dictionary")
              + EXPECTED);
    }
  }

  private void requireBounds(Container container) {
    if (container.depth() > MOST_DEPTH) {
      throw in.wrong("values are nested more than " + MOST_DEPTH + " deep" + EXPECTED);
    }
    if (container.values() > MOST_VALUES_PER_BYTE * in.position()) {
      throw in.wrong(
          "a value that repeats others has %s values in %s bytes"
                  .formatted(container.values(), in.position())
              + EXPECTED);
    }
  }

  /** Stores the top value in the memo at an index. */
  void keepAs(int place) {
    keep(MEMO_BYTES);
    memo.put(place, top());
  }

  /** Stores the top value in the memo at the next index. */
  void keepNext() {
    keepAs(memo.size());
  }

  /** Pushes a value from the memo. */
  void pushKept(int place) {
    Object value = memo.get(place);
    if (value == null) {
      throw in.wrong("nothing is kept under " + place + EXPECTED);
    }
    again(value);
  }
}
