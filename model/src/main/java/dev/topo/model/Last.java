package dev.topo.model;

import java.util.List;

/** The end of a list. */
public final class Last {
  private Last() {}

  /**
   * The last item.
   *
   * @throws IndexOutOfBoundsException if there is none
   */
  public static <T> T of(List<T> items) {
    return items.get(items.size() - 1);
  }
}
