package dev.topo.inspect.lint;

import dev.topo.inspect.lint.LintFinding.Place;
import dev.topo.model.io.Diagnostic.Severity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Collects the findings of one file and their locations. */
final class Findings {
  private static final Comparator<LintFinding> IN_FILE_ORDER =
      Comparator.comparingInt((LintFinding finding) -> finding.place().line())
          .thenComparingInt(finding -> finding.place().column())
          .thenComparing(LintFinding::rule)
          .thenComparing(LintFinding::message);

  private final SourceText source;
  private final List<LintFinding> list = new ArrayList<>();
  private int[] origin = {};

  Findings(SourceText source) {
    this.source = source;
  }

  /**
   * Sets the text that later offsets refer to.
   *
   * @param bytes offset in the file for each byte of that text
   */
  void placesFrom(int[] bytes) {
    origin = bytes.clone();
  }

  private int original(int position) {
    if (origin.length == 0) {
      return position;
    }
    return origin[Math.max(0, Math.min(position, origin.length - 1))];
  }

  /** Edit of the file at offsets of the text that was read. */
  TextEdit edit(int from, int to, String text) {
    return new TextEdit(original(from), original(to) - original(from), text);
  }

  void add(LintRule rule, Severity severity, int from, int to, String message, TextEdit... edits) {
    Place place = source.place(original(from), Math.max(1, original(to) - original(from)));
    list.add(LintFinding.of(rule, severity, place, message, edits));
  }

  void add(LintRule rule, int from, int to, String message, TextEdit... edits) {
    add(rule, rule.severity(), from, to, message, edits);
  }

  /** Adds a finding about the whole file. */
  void addWhole(LintRule rule, String message) {
    list.add(LintFinding.of(rule, rule.severity(), Place.of(source.file()), message));
  }

  /** Adds a finding about an element and marks its name. */
  void add(LintRule rule, LintElement element, String message) {
    add(rule, rule.severity(), element, message);
  }

  /** Adds a finding with another severity than the rule's usual one. */
  void add(LintRule rule, Severity severity, LintElement element, String message) {
    int end = element.offset() + 1 + element.name().length();
    add(rule, severity, element.offset(), end, "<" + element.name() + ">: " + message);
  }

  /**
   * Adds a finding about an attribute and marks its value, or the element if the attribute is
   * missing.
   */
  void add(LintRule rule, LintElement element, String name, String message) {
    add(rule, rule.severity(), element, name, message);
  }

  void add(LintRule rule, Severity severity, LintElement element, String name, String message) {
    element
        .attribute(name)
        .ifPresentOrElse(
            attribute -> add(rule, severity, element, attribute, message),
            () -> add(rule, severity, element, message));
  }

  /** Adds a finding about the value of an attribute, with an edit that fixes it. */
  void add(
      LintRule rule,
      Severity severity,
      LintElement element,
      LintAttribute attribute,
      String message,
      TextEdit... edits) {
    String stated = attribute.name() + "=\"" + attribute.value() + "\" ";
    String text = "<" + element.name() + ">: " + stated + message;
    add(rule, severity, attribute.offset(), attribute.valueEnd() + 1, text, edits);
  }

  /** Reports an element that lacks a required attribute; returns whether it has it. */
  boolean require(LintElement element, String name) {
    boolean isThere = element.attribute(name).isPresent();
    if (!isThere) {
      add(LintRule.MISSING_ATTRIBUTE, element, "attribute " + name + " is missing");
    }
    return isThere;
  }

  /** Keeps one finding per rule, without fixes, for a file that is not NCCL's. */
  void keepOneOfEachRule() {
    Map<LintRule, LintFinding> firsts = new EnumMap<>(LintRule.class);
    list().forEach(finding -> firsts.putIfAbsent(finding.rule(), finding.withoutEdits()));
    list.clear();
    list.addAll(firsts.values());
  }

  /** Findings, in the order of the file. */
  List<LintFinding> list() {
    Map<Object, List<LintFinding>> groups =
        list.stream()
            .sorted(IN_FILE_ORDER)
            .collect(
                Collectors.groupingBy(
                    finding -> finding.rule().isReportedOnce() ? finding.rule() : new Object(),
                    LinkedHashMap::new,
                    Collectors.toList()));
    return groups.values().stream().map(Findings::joined).toList();
  }

  /** Merges findings of one rule, located at the first. */
  private static LintFinding joined(List<LintFinding> ofRule) {
    LintFinding first = ofRule.get(0);
    return ofRule.size() == 1
        ? first
        : new LintFinding(
            first.rule(),
            Collections.min(ofRule.stream().map(LintFinding::severity).toList()),
            first.place(),
            first.message() + ", and " + (ofRule.size() - 1) + " more like it",
            first.nccl(),
            first.fix(),
            ofRule.stream().flatMap(finding -> finding.edits().stream()).toList());
  }
}
