package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.fixture.Thorough;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts how many cases of a set agree, and fails if one does not or there is none. The thorough
 * run prints a line for each comparison, any other run a line for each set when all tests are done
 * ({@link AgreementLines}).
 */
final class Agreement {
  private final String what;
  private final List<String> different = new ArrayList<>();
  private int cases;

  Agreement(String what) {
    this.what = what;
  }

  /** Counts a case; {@code difference} says what is wrong, or is empty. */
  void add(String name, String difference) {
    cases++;
    if (!difference.isEmpty()) {
      different.add(name + ": " + difference);
    }
  }

  /**
   * Counts a case in which two texts must be equal; the difference shown is the first unequal line.
   */
  void addEqual(String name, String expected, String actual) {
    add(name, firstDifference(expected, actual));
  }

  private static String firstDifference(String expected, String actual) {
    if (expected.equals(actual)) {
      return "";
    }
    List<String> left = expected.lines().toList();
    List<String> right = actual.lines().toList();
    int line = 0;
    while (line < left.size() && line < right.size() && left.get(line).equals(right.get(line))) {
      line++;
    }
    String wanted = line < left.size() ? left.get(line).strip() : "the end";
    String found = line < right.size() ? right.get(line).strip() : "the end";
    return "line " + (line + 1) + " expected " + wanted + " but found " + found;
  }

  /** Prints the count and fails if a case differs, or if there was none. */
  void finish() {
    finish("");
  }

  /** As {@link #finish()}, with a remark after the count. */
  void finish(String remark) {
    assertTrue(cases > 0, what + ": nothing was compared");
    String count = (cases - different.size()) + "/" + cases;
    Thorough.print(what + " " + count + remark);
    AgreementLines.add(what, count);
    assertEquals(List.of(), different, what);
  }
}
