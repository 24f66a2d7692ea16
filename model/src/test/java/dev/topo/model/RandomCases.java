package dev.topo.model;

/** How many cases at random a test tries. */
public final class RandomCases {
  private RandomCases() {}

  /**
   * The number of cases: {@code usual}, or {@code thorough} with {@code -Dtopo.test.thorough=true},
   * which continuous integration sets, or what {@code -Dtest.iters} says.
   */
  public static int count(int usual, int thorough) {
    return Integer.getInteger(
        "test.iters", Boolean.getBoolean("topo.test.thorough") ? thorough : usual);
  }
}
