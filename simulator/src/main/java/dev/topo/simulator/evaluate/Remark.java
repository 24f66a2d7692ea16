package dev.topo.simulator.evaluate;

/**
 * What a reader of predictions should know of them.
 *
 * @param text for people
 * @param isBasis whether it says which constants the times rest on and how wide their ranges are,
 *     and not what they lack
 */
record Remark(String text, boolean isBasis) {
  static Remark basis(String text) {
    return new Remark(text, true);
  }

  static Remark limit(String text) {
    return new Remark(text, false);
  }
}
