package dev.topo.inspect.lint;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingCatalog;
import dev.topo.model.job.SettingException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Rules for a configuration file, which is read as NCCL does: {@code NAME=VALUE}, no trimming on
 * either side, {@code #} as a comment only at the start of a line, and the first of two lines for a
 * name wins ({@code nccl:src/misc/param.cc#setEnvFile}).
 */
final class ConfRules {
  private static final int MAX_LENGTH = 1023;

  /** Settings whose files would apply to every job on the machine. */
  private static final Set<String> FILES = Set.of("NCCL_GRAPH_FILE", "NCCL_TOPO_FILE");

  private final SourceText source;
  private final Optional<TopologyIndex> machine;
  private final Findings findings;
  private final Map<String, Line> lines = new LinkedHashMap<>();

  /** Valid settings with their values. */
  private final Map<String, String> values = new LinkedHashMap<>();

  ConfRules(SourceText source, Optional<TopologyIndex> machine, Findings findings) {
    this.source = source;
    this.machine = machine;
    this.findings = findings;
  }

  /** Line with a setting; positions are byte offsets in the file. */
  private record Line(String name, String value, int start, int equals, int end) {}

  void check() {
    source.forEachLine(this::line);
    NcclSettings.of(values)
        .harms()
        .forEach(
            (name, harm) -> {
              Line line = Objects.requireNonNull(lines.get(name));
              findings.add(LintRule.CONF_HARMFUL, line.start, line.end, harm);
            });
    ConfContradictions.check(
        name -> Optional.ofNullable(lines.get(name)).map(Line::value),
        machine,
        (rule, name, message) -> {
          Line line = lines.get(name);
          if (line != null) {
            findings.add(rule, line.start, line.end, line.name + "=" + line.value + " " + message);
          }
        });
  }

  private void line(int start, String line) {
    int end = start + line.length();
    if (line.startsWith("#") || line.isBlank()) {
      return;
    }
    int equals = line.indexOf('=');
    if (equals < 0) {
      String message = "'" + line.strip() + "' has no equals sign";
      findings.add(LintRule.CONF_NO_EQUALS, start, end, message);
      return;
    }
    Line found =
        new Line(line.substring(0, equals), line.substring(equals + 1), start, start + equals, end);
    String name = found.name.replaceFirst("^\\s*export\\s+", "").strip();
    form(found, name);
    Line first = lines.get(name);
    if (first != null) {
      String message = name + " was set before, to " + first.value;
      findings.add(LintRule.CONF_TWICE, start, end, message);
    } else {
      String value = found.value.strip();
      lines.put(name, new Line(name, value, start, start + equals, end));
      meaning(found, name, value);
    }
  }

  private void form(Line line, String name) {
    int valueStart = line.equals + 1;
    if (line.value.endsWith("\r")) {
      findings.add(
          LintRule.CONF_LINE_END,
          line.end - 1,
          line.end,
          name + " has a carriage return in its value",
          findings.edit(line.end - 1, line.end, ""));
    }
    if (line.name.matches("\\s*export\\s+.*")) {
      int at = line.start + line.name.indexOf(name);
      findings.add(
          LintRule.CONF_EXPORT,
          line.start,
          at,
          "'" + line.name.strip() + "' is not the name of a setting",
          findings.edit(line.start, at, ""));
    } else if (!line.name.equals(name)) {
      findings.add(
          LintRule.CONF_BLANK,
          line.start,
          line.equals,
          "'" + line.name + "' is not read as " + name,
          findings.edit(line.start, line.equals, name));
    }
    String value = line.value.endsWith("\r") ? withoutLastCharacter(line.value) : line.value;
    int valueEnd = valueStart + value.length();
    if (!value.equals(value.strip())) {
      findings.add(
          LintRule.CONF_BLANK,
          valueStart,
          valueEnd,
          name + " has blanks around its value",
          findings.edit(valueStart, valueEnd, value.strip()));
    } else if (value.length() > 1 && (value.startsWith("\"") || value.startsWith("'"))) {
      findings.add(
          LintRule.CONF_QUOTES,
          valueStart,
          valueEnd,
          name + " has quotes in its value",
          findings.edit(valueStart, valueEnd, unquoted(value)));
    }
    int comment = value.indexOf(" #");
    if (comment >= 0) {
      String message = name + " has a comment in its value";
      findings.add(LintRule.CONF_COMMENT, valueStart + comment, valueEnd, message);
    }
    if (line.name.length() > MAX_LENGTH || value.length() > MAX_LENGTH) {
      findings.add(LintRule.CONF_TOO_LONG, line.start, line.end, name + " is too long");
    }
  }

  private static String withoutLastCharacter(String text) {
    return text.substring(0, text.length() - 1);
  }

  private static String unquoted(String text) {
    return text.replaceAll("^[\"']|[\"']$", "");
  }

  private void meaning(Line line, String name, String value) {
    if (SettingCatalog.find(name).isEmpty()) {
      if (name.startsWith("NCCL") || SettingCatalog.find("NCCL_" + name).isPresent()) {
        List<String> similar = SettingCatalog.similarTo(name.toUpperCase(Locale.ROOT));
        String hint =
            similar.isEmpty() ? "" : ", did you mean " + String.join(" or ", similar) + "?";
        String message = name + " is not a setting of NCCL" + hint;
        findings.add(LintRule.CONF_UNKNOWN, line.start, line.equals, message);
      }
      return;
    }
    if (FILES.contains(name)) {
      String message = name + " is set for all jobs on the machine";
      findings.add(LintRule.CONF_GRAPH_FILE, line.start, line.end, message);
    }
    String bare = unquoted(value).replaceFirst("\\s+#.*", "");
    try {
      values.putAll(NcclSettings.parse(List.of(name + "=" + bare)).values());
    } catch (SettingException e) {
      String expected = SettingCatalog.find(name).map(setting -> setting.expected()).orElse("");
      int read = CNumber.parse(bare).value();
      String message = name + "=" + bare + ": NCCL reads " + read + "; expected " + expected;
      findings.add(LintRule.CONF_VALUE, line.equals + 1, line.end, message);
    }
  }
}
