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

  /** From now on places are those of a text whose bytes come from these of the file. */
  void placesFrom(int[] bytes) {
    origin = bytes.clone();
  }

  private int original(int position) {
    if (origin.length == 0) {
      return position;
    }
    return origin[Math.max(0, Math.min(position, origin.length - 1))];
  }

  /** A change of the file in places of the text that was read. */
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

  /** About the file as a whole. */
  void addWhole(LintRule rule, String message) {
    list.add(LintFinding.of(rule, rule.severity(), Place.of(source.file()), message));
  }

  /** About an element: its name is marked. */
  void add(LintRule rule, LintElement element, String message) {
    add(rule, rule.severity(), element, message);
  }

  /** Adds a finding with another severity than the rule usually has. */
  void add(LintRule rule, Severity severity, LintElement element, String message) {
    int end = element.offset() + 1 + element.name().length();
    add(rule, severity, element.offset(), end, "<" + element.name() + ">: " + message);
  }

  /** About the value of an attribute: it is marked; the element, where the attribute is missing. */
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

  /** About the value of an attribute, with a change that fixes it. */
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

  /** For a file that is not NCCL's: errors are reported, but not fixed. */
  void keepOneOfEachRule() {
    Map<LintRule, LintFinding> firsts = new EnumMap<>(LintRule.class);
    list().forEach(finding -> firsts.putIfAbsent(finding.rule(), finding.withoutEdits()));
    list.clear();
    list.addAll(firsts.values());
  }

  /** The findings, in the order of the file. */
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

  /** Findings of one rule as one, at the place of the first. */
  private static LintFinding joined(List<LintFinding> alike) {
    LintFinding first = alike.get(0);
    return alike.size() == 1
        ? first
        : new LintFinding(
            first.rule(),
            Collections.min(alike.stream().map(LintFinding::severity).toList()),
            first.place(),
            first.message() + ", and " + (alike.size() - 1) + " more like it",
            first.nccl(),
            first.fix(),
            alike.stream().flatMap(finding -> finding.edits().stream()).toList());
  }
}
