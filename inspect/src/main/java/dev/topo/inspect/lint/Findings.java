package dev.topo.inspect.lint;

import dev.topo.inspect.lint.LintFinding.Place;
import dev.topo.model.Alike;
import dev.topo.model.io.Diagnostic.Severity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Collects the findings of one file and their locations. */
final class Findings {
  private static final Comparator<LintFinding> IN_FILE_ORDER =
      Comparator.comparingInt((LintFinding finding) -> finding.place().line())
          .thenComparingInt(finding -> finding.place().column())
          .thenComparing(LintFinding::rule)
          .thenComparing(LintFinding::message);

  private final SourceText source;
  private final List<LintFinding> list = new ArrayList<>();
  private int[] origins = {};

  Findings(SourceText source) {
    this.source = source;
  }

  /**
   * Sets the mapping from offsets in the text that is checked to offsets in the file.
   *
   * @param offsets offset in the file of each byte of that text
   */
  void useOrigins(int[] offsets) {
    origins = offsets.clone();
  }

  private int original(int position) {
    if (origins.length == 0) {
      return position;
    }
    return origins[Math.max(0, Math.min(position, origins.length - 1))];
  }

  /** Returns an edit of the file for offsets in the text that is checked. */
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

  /** Adds a finding with a severity that may differ from the rule's. */
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

  /**
   * Reports an element that lacks a required attribute. Returns true if the attribute is present.
   */
  boolean require(LintElement element, String name) {
    boolean isPresent = element.attribute(name).isPresent();
    if (!isPresent) {
      add(LintRule.MISSING_ATTRIBUTE, element, "attribute " + name + " is missing");
    }
    return isPresent;
  }

  /** Keeps one finding for each rule, without fixes, because the file is not meant for NCCL. */
  void keepOneOfEachRule() {
    Map<LintRule, LintFinding> firstByRule = new EnumMap<>(LintRule.class);
    list().forEach(finding -> firstByRule.putIfAbsent(finding.rule(), finding.withoutEdits()));
    list.clear();
    list.addAll(firstByRule.values());
  }

  /** Findings, in the order of the file. */
  List<LintFinding> list() {
    return Alike.by(
            list.stream().sorted(IN_FILE_ORDER).toList(),
            finding -> finding.rule().isReportedOnce() ? finding.rule() : new Object())
        .values()
        .stream()
        .map(Findings::joined)
        .toList();
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
