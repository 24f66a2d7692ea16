package dev.topo.inspect.edit;

import java.util.Arrays;
import java.util.List;

/**
 * Cards at the places of a site.
 *
 * @param loads cards of each kind at each place, in the order of {@link SlotTree#places}
 * @param total cards of each kind at all of them
 * @param equal number of ways that are equal to it by symmetry
 */
record Placement(List<int[]> loads, int[] total, long equal) {
  boolean isTotal(int[] wanted) {
    return Arrays.equals(total, wanted);
  }

  int cards() {
    return sum(total);
  }

  /** Cards of all kinds; a plain loop, as it is asked for at every step. */
  static int sum(int[] load) {
    int cards = 0;
    for (int n : load) {
      cards += n;
    }
    return cards;
  }
}
