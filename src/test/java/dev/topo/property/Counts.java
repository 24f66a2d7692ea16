package dev.topo.property;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/** What the cases of a property came to; prints one line of counts and fails with all seeds. */
final class Counts {
  /** The first ones show what is wrong. */
  private static final int MOST_FAILURES = 20;

  /** The largest part of a number of two digits that rounding in one direction changes. */
  static final double ROUNDED = 0.1;

  /** The part that digits of JSON leave out. */
  private static final double DIGITS = 1e-4;

  private final String property;
  private final Map<String, Integer> others = new LinkedHashMap<>();
  private final List<String> failures = new ArrayList<>();
  private String current = "";
  private int cases;
  private int compared;

  /** Of a property by this name. */
  Counts(String property) {
    this.property = property;
  }

  /** Begins with a case. */
  void begin(DrawnJob job) {
    begin(job.toString());
  }

  /** Begins with a case in words. */
  void begin(String words) {
    cases++;
    current = words;
  }

  /** Counts what is not compared, or not by the property alone, by a rule. */
  void other(String rule) {
    others.merge(rule, 1, Integer::sum);
  }

  /** Counts a comparison that holds or fails. */
  void check(String what, boolean holds) {
    compared++;
    if (!holds) {
      failures.add(current + "\n  " + what);
    }
  }

  /** Compares what is to be equal. */
  void same(String what, Object expected, Object found) {
    check(what + ": expected " + expected + ", found " + found, Objects.equals(expected, found));
  }

  /** Compares a number with the same one as another answer shows it. */
  void same(String what, JsonNode expected, String found) {
    check(
        what + ": expected " + expected + ", found " + found,
        Shown.of(expected.asString()).isSame(Shown.of(found)));
  }

  /** Compares a number with one that has two digits or more, rounded to the nearest. */
  void rounded(String what, JsonNode expected, String found) {
    near(what, expected, found, ROUNDED / 2);
  }

  /** Compares a number with one that is off by a part of it at most. */
  void near(String what, JsonNode expected, String found, double part) {
    double exact = Shown.of(expected.asString()).value();
    double shown = Shown.of(found).value();
    check(
        what + ": expected " + expected + ", found " + found,
        Math.abs(shown - exact) <= (part + DIGITS) * Math.max(exact, shown));
  }

  /** Whether all calls are answered; all are if one is, and the messages are equal if none is. */
  boolean sameStatus(Command... calls) {
    for (Command call : calls) {
      check(
          "status and messages of " + calls[0].err() + " and " + call.err(),
          call.status() == calls[0].status()
              && (call.status() == 0 || call.err().equals(calls[0].err())));
    }
    if (calls[0].status() != 0) {
      other("without an answer");
    }
    return calls[0].status() == 0;
  }

  /** The failures. */
  List<String> failures() {
    return failures;
  }

  /** Prints the counts, and fails if a comparison has. */
  void report() {
    StringBuilder line =
        new StringBuilder(
            "property %s: %d cases, %d compared".formatted(property, cases, compared));
    others.forEach((rule, count) -> line.append(", ").append(count).append(' ').append(rule));
    System.out.println(line);
    assertTrue(compared > 0 || cases == 1, property + ": nothing was compared");
    assertEquals(
        "",
        String.join("\n", failures.subList(0, Math.min(MOST_FAILURES, failures.size()))),
        failures.size() + " failures of " + property);
  }
}
