package dev.topo.inspect.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * List or dictionary under construction, with the depth and the number of values of its content. It
 * grows until another value holds it: a pickle writes the content of a value before its holder, so
 * that nothing contains itself, and depth and number are final when they count.
 */
final class Container {
  private final Object value;
  private int depth = 1;
  private long values = 1;
  private boolean isHeld;

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

  /** True if another value or the memo holds it, so that it must not grow. */
  boolean isHeld() {
    return isHeld;
  }

  void hold() {
    isHeld = true;
  }

  /** Depth: 1 if it contains no other container. */
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
    list.add(content(item));
  }

  /**
   * Sets an entry of a dictionary. An entry whose key is not a text is only counted: a dump needs
   * none of them, and keys of several kinds have no order that a look-up could use.
   */
  void put(Object key, Object item) {
    @SuppressWarnings("unchecked") // dictionaries are created only here, with any values
    Map<Object, Object> map = (Map<Object, Object>) value;
    content(key);
    Object content = content(item);
    if (key instanceof String) {
      map.put(key, content);
    }
  }

  private Object content(Object item) {
    if (item instanceof Container inner) {
      inner.hold();
      depth = Math.max(depth, inner.depth + 1);
      values += inner.values;
      return inner.value;
    }
    values++;
    return item;
  }

  /** List or dictionary of a container; any other value unchanged. */
  static Object value(Object item) {
    return item instanceof Container container ? container.value : item;
  }
}
