package dev.topo.inspect.lint.text;

import dev.topo.inspect.lint.finding.LintFinding;
import dev.topo.inspect.lint.finding.LintFinding.Place;
import dev.topo.inspect.lint.finding.LintRule;
import dev.topo.inspect.lint.finding.TextEdit;
import dev.topo.model.diagnostic.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects the findings of one file and their locations. */
public final class Findings {
  /** Rules that one habit of writing breaks in every line; they are reported once. */
  private static final Set<LintRule> TOLD_ONCE =
      EnumSet.of(
          LintRule.TAB_BETWEEN_ELEMENTS,
          LintRule.BREAK_IN_TAG,
          LintRule.BLANK_IN_TAG,
          LintRule.BLANK_BEFORE_EQUALS,
          LintRule.BLANK_MISSING,
          LintRule.EXTRA_BLANK,
          LintRule.UNQUOTED_VALUE,
          LintRule.CHARACTER_REFERENCE,
          LintRule.UNKNOWN_ATTRIBUTE,
          LintRule.LINK_SPEED_EMPTY,
          LintRule.LINK_WIDTH_ZERO,
          LintRule.NVLINK_NO_TCLASS,
          LintRule.NVLINK_DANGLING,
          LintRule.FILLED_AT_RUN_TIME,
          LintRule.EMPTY_BRANCH,
          LintRule.LINK_SPEED,
          LintRule.BUS_ID_FORM,
          LintRule.MACHINE_LINK,
          LintRule.MACHINE_NO_SUCH_NET,
          LintRule.MACHINE_NET_MISSING,
          LintRule.VIRTUAL_NET_REPEATED,
          LintRule.GRAPH_DEV_DECIMAL,
          LintRule.CONF_LINE_END);

  private final SourceText source;
  private final List<LintFinding> list = new ArrayList<>();
  private int[] origin = {};

  public Findings(SourceText source) {
    this.source = source;
  }

  /** From now on places are those of a text whose bytes come from these of the file. */
  public void placesFrom(int[] bytes) {
    origin = bytes.clone();
  }

  private int original(int position) {
    if (origin.length == 0) {
      return position;
    }
    return origin[Math.max(0, Math.min(position, origin.length - 1))];
  }

  /** A change of the file in places of the text that was read. */
  public TextEdit edit(int from, int to, String text) {
    return new TextEdit(original(from), original(to) - original(from), text);
  }

  public void add(
      LintRule rule, Severity severity, int from, int to, String message, TextEdit... edits) {
    Place place = source.place(original(from), Math.max(1, original(to) - original(from)));
    list.add(
        new LintFinding(rule, severity, place, message, rule.nccl(), rule.fix(), List.of(edits)));
  }

  public void add(LintRule rule, int from, int to, String message, TextEdit... edits) {
    add(rule, rule.severity(), from, to, message, edits);
  }

  /** About the file as a whole. */
  public void addWhole(LintRule rule, String message) {
    list.add(
        new LintFinding(
            rule,
            rule.severity(),
            Place.of(source.file()),
            message,
            rule.nccl(),
            rule.fix(),
            List.of()));
  }

  /** About an element: its name is marked. */
  public void add(LintRule rule, LintElement element, String message) {
    add(rule, rule.severity(), element, message);
  }

  public void add(LintRule rule, Severity severity, LintElement element, String message) {
    int end = element.offset() + 1 + element.name().length();
    add(rule, severity, element.offset(), end, "<" + element.name() + ">: " + message);
  }

  /** About the value of an attribute: it is marked; the element, where the attribute is missing. */
  public void add(LintRule rule, LintElement element, String name, String message) {
    add(rule, rule.severity(), element, name, message);
  }

  public void add(
      LintRule rule, Severity severity, LintElement element, String name, String message) {
    LintAttribute attribute = element.attribute(name).orElse(null);
    if (attribute == null) {
      add(rule, severity, element, message);
    } else {
      add(
          rule,
          severity,
          attribute.offset(),
          attribute.valueEnd() + 1,
          "<" + element.name() + ">: " + name + "=\"" + attribute.value() + "\" " + message);
    }
  }

  /** As above, with the value that would be right. */
  public void addMended(
      LintRule rule,
      Severity severity,
      LintElement element,
      LintAttribute attribute,
      String message,
      String value) {
    add(
        rule,
        severity,
        attribute.offset(),
        attribute.valueEnd() + 1,
        "<"
            + element.name()
            + ">: "
            + attribute.name()
            + "=\""
            + attribute.value()
            + "\" "
            + message,
        edit(attribute.valueOffset(), attribute.valueEnd(), value));
  }

  /** For a file that is not NCCL's: errors are reported, but not fixed. */
  public void keepOneOfEachRule() {
    Map<LintRule, LintFinding> firsts = new EnumMap<>(LintRule.class);
    list().forEach(finding -> firsts.putIfAbsent(finding.rule(), finding.withoutEdits()));
    list.clear();
    list.addAll(firsts.values());
  }

  /** What was found, in the order of the file. */
  public List<LintFinding> list() {
    List<LintFinding> sorted = new ArrayList<>(list);
    sorted.sort(
        Comparator.comparingInt((LintFinding finding) -> finding.place().line())
            .thenComparingInt(finding -> finding.place().column())
            .thenComparing(LintFinding::rule)
            .thenComparing(LintFinding::message));
    Map<LintRule, Integer> first = new EnumMap<>(LintRule.class);
    Map<LintRule, Integer> more = new EnumMap<>(LintRule.class);
    List<LintFinding> reported = new ArrayList<>();
    for (LintFinding finding : sorted) {
      Integer index = first.get(finding.rule());
      if (!TOLD_ONCE.contains(finding.rule())) {
        reported.add(finding);
      } else if (index == null) {
        first.put(finding.rule(), reported.size());
        reported.add(finding);
      } else {
        more.merge(finding.rule(), 1, Integer::sum);
        reported.set(index, joined(reported.get(index), finding));
      }
    }
    more.forEach(
        (rule, count) -> {
          int index = first.getOrDefault(rule, 0);
          LintFinding finding = reported.get(index);
          reported.set(
              index,
              new LintFinding(
                  rule,
                  finding.severity(),
                  finding.place(),
                  finding.message() + ", and " + count + " more like it",
                  finding.nccl(),
                  finding.fix(),
                  finding.edits()));
        });
    return List.copyOf(reported);
  }

  private static LintFinding joined(LintFinding a, LintFinding b) {
    List<TextEdit> edits = new ArrayList<>(a.edits());
    edits.addAll(b.edits());
    return new LintFinding(
        a.rule(),
        a.severity().compareTo(b.severity()) <= 0 ? a.severity() : b.severity(),
        a.place(),
        a.message(),
        a.nccl(),
        a.fix(),
        edits);
  }
}
