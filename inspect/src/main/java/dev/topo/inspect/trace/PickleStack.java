package dev.topo.inspect.trace;

import static dev.topo.inspect.trace.PickleBytes.EXPECTED;

import dev.topo.model.Last;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Stack, marks and memo of the pickle machine. Number, nesting depth and memory of the values are
 * limited.
 */
final class PickleStack {
  /** Maximum nesting depth; a dump of Flight Recorder has a depth of 6. */
  private static final int MAX_DEPTH = 100;

  /**
   * Maximum number of values of a container per byte read, so that traversing it takes time
   * proportional to the size of the file. A value takes at least one byte. A reference to an
   * earlier value takes two, and the values that dumps share, lines of source code, consist of 7
   * values.
   */
  private static final int MAX_VALUES_PER_BYTE = 64;

  /** Maximum memory of all values, in bytes: a dump of 100,000 calls, while PyTorch keeps 2,000. */
  private static final long MAX_KEPT_BYTES = 512L << 20;

  // Approximate memory in the Java heap.
  private static final int VALUE_BYTES = 24;
  private static final int TEXT_BYTES = 56;
  private static final int CONTAINER_BYTES = 96;
  private static final int MEMO_BYTES = 48;
  private static final int SLOT_BYTES = 8;

  private final PickleBytes in;
  private List<Object> stack = new ArrayList<>();
  private final Deque<List<Object>> outerStacks = new ArrayDeque<>();
  private final Map<Integer, Object> memo = new HashMap<>();
  private long keptBytes;

  /**
   * Creates an empty stack.
   *
   * @param in supplies the position for errors
   */
  PickleStack(PickleBytes in) {
    this.in = in;
  }

  void push(Object value) {
    reserve(SLOT_BYTES + size(value));
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

  private void reserve(long bytes) {
    keptBytes += bytes;
    if (keptBytes > MAX_KEPT_BYTES) {
      throw in.wrong(
          "values of more than %s MiB, expected the dump of a rank"
              .formatted(MAX_KEPT_BYTES >> 20));
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
    return Last.of(stack);
  }

  /** Pushes the top value again. */
  void duplicateTop() {
    pushShared(top());
  }

  private void pushShared(Object value) {
    if (value instanceof Container container) {
      container.freeze();
    }
    reserve(SLOT_BYTES);
    stack.add(value);
  }

  void mark() {
    if (outerStacks.size() == MAX_DEPTH) {
      throw in.wrong("more than " + MAX_DEPTH + " open marks" + EXPECTED);
    }
    outerStacks.push(stack);
    stack = new ArrayList<>();
  }

  /**
   * Pops the last mark and the values above it; returns these in the order in which they were
   * pushed.
   */
  List<Object> popToMark() {
    if (outerStacks.isEmpty()) {
      throw in.wrong("no mark is left" + EXPECTED);
    }
    List<Object> items = stack;
    stack = outerStacks.pop();
    return items;
  }

  /** Pops some values; returns them in the order in which they were pushed. */
  List<Object> popValues(int count) {
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
    requireMutable(list);
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
    requireMutable(dictionary);
    for (int i = 0; i < items.size(); i += 2) {
      dictionary.put(items.get(i), items.get(i + 1));
    }
    reserve((long) items.size() * SLOT_BYTES);
    requireBounds(dictionary);
  }

  private void requireMutable(Container container) {
    if (container.isFrozen()) {
      throw in.wrong(
          "a %s contains itself, or changes after its use"
                  .formatted(container.isList() ? "list" : "dictionary")
              + EXPECTED);
    }
  }

  private void requireBounds(Container container) {
    if (container.depth() > MAX_DEPTH) {
      throw in.wrong("values are nested more than " + MAX_DEPTH + " deep" + EXPECTED);
    }
    if (container.values() > MAX_VALUES_PER_BYTE * in.position()) {
      throw in.wrong(
          "a value that repeats others has %s values in %s bytes"
                  .formatted(container.values(), in.position())
              + EXPECTED);
    }
  }

  /** Stores the top value in the memo at an index. */
  void memoize(int index) {
    reserve(MEMO_BYTES);
    memo.put(index, top());
  }

  /** Stores the top value in the memo at the next index. */
  void memoizeNext() {
    memoize(memo.size());
  }

  /** Pushes a value from the memo. */
  void pushMemoized(int index) {
    Object value = memo.get(index);
    if (value == null) {
      throw in.wrong("nothing is kept under " + index + EXPECTED);
    }
    pushShared(value);
  }
}
