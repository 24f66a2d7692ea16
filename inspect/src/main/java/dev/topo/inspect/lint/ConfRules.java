package dev.topo.inspect.lint;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingCatalog;
import dev.topo.model.job.SettingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A configuration file, read as NCCL does: {@code NAME=VALUE}, nothing taken off either side, a
 * comment only with {@code #} at the very beginning, and the first of two lines wins ({@code
 * nccl:src/misc/param.cc#setEnvFile}).
 */
final class ConfRules {
  private static final int MAX_LENGTH = 1023;

  /** Files for every job on the machine. */
  private static final Set<String> FILES = Set.of("NCCL_GRAPH_FILE", "NCCL_TOPO_FILE");

  private final SourceText source;
  private final Optional<TopologyIndex> machine;
  private final Findings findings;
  private final Map<String, Line> lines = new LinkedHashMap<>();

  ConfRules(SourceText source, Optional<TopologyIndex> machine, Findings findings) {
    this.source = source;
    this.machine = machine;
    this.findings = findings;
  }

  /** A line that sets something; places are bytes of the file. */
  private record Line(String name, String value, int start, int equals, int end) {}

  void check() {
    String text = new String(source.bytes(), StandardCharsets.ISO_8859_1);
    int start = 0;
    while (start < text.length()) {
      int end = text.indexOf('\n', start);
      end = end < 0 ? text.length() : end;
      line(text, start, end);
      start = end + 1;
    }
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

  private void line(String text, int start, int end) {
    String line = text.substring(start, end);
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
    String value = line.value.endsWith("\r") ? cut(line.value) : line.value;
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

  private static String cut(String text) {
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
      NcclSettings.parse(List.of(name + "=" + bare));
    } catch (SettingException e) {
      String expected = SettingCatalog.find(name).map(setting -> setting.expected()).orElse("");
      int read = CNumber.parse(bare).value();
      String message = name + "=" + bare + ": NCCL reads " + read + "; expected " + expected;
      findings.add(LintRule.CONF_VALUE, line.equals + 1, line.end, message);
    }
  }
}
