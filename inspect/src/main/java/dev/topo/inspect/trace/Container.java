package dev.topo.inspect.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A list or dictionary while it is read, with the depth and the number of values of its content. It
 * grows until something holds it: a pickle is written with the content of a value before what holds
 * the value, and so nothing contains itself, and depth and number are final once they count.
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

  /** True if another value or the memo holds it, so that it may not grow. */
  boolean isHeld() {
    return isHeld;
  }

  void hold() {
    isHeld = true;
  }

  /** 1 of one that contains no other. */
  int depth() {
    return depth;
  }

  /** The values in it and itself, those counted again that it contains several times. */
  long values() {
    return values;
  }

  void append(Object item) {
    @SuppressWarnings("unchecked") // lists are made here only, of any values
    List<Object> list = (List<Object>) value;
    list.add(content(item));
  }

  /**
   * Sets an entry of a dictionary. One whose key is no text is counted only: a dump has none that
   * is needed, and keys of several kinds have no order that a look-up could use.
   */
  void put(Object key, Object item) {
    @SuppressWarnings("unchecked") // dictionaries are made here only, of any values
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

  /** The list or dictionary of a container, any other value as it is. */
  static Object value(Object item) {
    return item instanceof Container container ? container.value : item;
  }
}
