package dev.topo.inspect.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * List or dictionary under construction, with its nesting depth and number of values. It may grow
 * only until another value or the memo refers to it. Therefore nothing contains itself, and depth
 * and number are final when they are added to those of an enclosing container.
 */
final class Container {
  private final Object value;
  private int depth = 1;
  private long values = 1;
  private boolean isFrozen;

  private Container(Object value) {
    this.value = value;
  }

  /** An empty list. */
  static Container list() {
    return new Container(new ArrayList<>());
  }

  /** An empty dictionary. */
  static Container dictionary() {
    return new Container(new LinkedHashMap<>());
  }

  boolean isList() {
    return value instanceof List<?>;
  }

  /** True if another value or the memo refers to it, so that it must not grow any more. */
  boolean isFrozen() {
    return isFrozen;
  }

  void freeze() {
    isFrozen = true;
  }

  /** Nesting depth; 1 if it contains no other container. */
  int depth() {
    return depth;
  }

  /** Number of values in it, including itself; repeated values count each time. */
  long values() {
    return values;
  }

  void append(Object item) {
    @SuppressWarnings("unchecked") // lists are created only here, with any values
    List<Object> list = (List<Object>) value;
    list.add(counted(item));
  }

  /**
   * Sets an entry of a dictionary. An entry whose key is not a text is counted but not stored:
   * dumps need no such entry, and keys of several types have no common order for lookups.
   */
  void put(Object key, Object item) {
    @SuppressWarnings("unchecked") // dictionaries are created only here, with any values
    Map<Object, Object> map = (Map<Object, Object>) value;
    counted(key);
    Object content = counted(item);
    if (key instanceof String) {
      map.put(key, content);
    }
  }

  /** Adds an item to depth and number; returns its plain value. */
  private Object counted(Object item) {
    if (item instanceof Container inner) {
      inner.freeze();
      depth = Math.max(depth, inner.depth + 1);
      values += inner.values;
      return inner.value;
    }
    values++;
    return item;
  }

  /** Returns the list or dictionary of a container, and any other value unchanged. */
  static Object value(Object item) {
    return item instanceof Container container ? container.value : item;
  }
}
