package dev.topo.inspect.lint;

import dev.topo.search.rules.NcclProfile;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The catalogue of rules as text. */
public final class RuleCatalogue {
  /** The release of NCCL that the texts of the rules describe. */
  public static final String RELEASE = NcclProfile.DEFAULT.version();

  private RuleCatalogue() {}

  /** One line for each rule. */
  public static String text() {
    return Arrays.stream(Subject.values())
        .map(
            subject ->
                subject.title()
                    + "\n"
                    + rules(subject).stream()
                        .map(RuleCatalogue::line)
                        .collect(Collectors.joining()))
        .collect(Collectors.joining("\n"));
  }

  private static String line(LintRule rule) {
    return "  %-24s  %-7s  %-8s  %s\n"
        .formatted(rule.id(), rule.severity().label(), rule.outcome().label(), rule.title());
  }

  private static List<LintRule> rules(Subject subject) {
    return Arrays.stream(LintRule.values()).filter(rule -> rule.subject() == subject).toList();
  }
}
