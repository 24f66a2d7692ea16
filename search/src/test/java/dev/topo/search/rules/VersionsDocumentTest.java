package dev.topo.search.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.fixture.DocumentTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The tables of docs/nccl-versions.md are made from the rule files. */
class VersionsDocumentTest {
  private static final List<String> VERSIONS = NcclProfile.versions();

  private static final Map<String, String> SUBJECTS = new LinkedHashMap<>();

  static {
    SUBJECTS.put("xml", "Limits and XML");
    SUBJECTS.put("topology", "Topology");
    SUBJECTS.put("link", "Links (GB/s)");
    SUBJECTS.put("setting", "Defaults of settings");
    SUBJECTS.put("path", "Paths");
    SUBJECTS.put("channels", "Channels");
    SUBJECTS.put("search", "Search");
    SUBJECTS.put("connect", "Connection");
    SUBJECTS.put("peer", "Channels of sends and receives");
    SUBJECTS.put("transfer", "Sends and receives by size");
    SUBJECTS.put("buffer", "Buffers");
    SUBJECTS.put("tuning", "Tuning");
    SUBJECTS.put("launch", "Launch");
    SUBJECTS.put("symmetric", "Symmetric kernels");
    SUBJECTS.put("copy-engine", "Copy engine");
    SUBJECTS.put("registration", "Registered buffers");
  }

  @Test
  void theTablesAreWhatTheRuleFilesSay() throws IOException {
    DocumentTables.check("docs/nccl-versions.md", Map.of("releases", releases(), "rules", rules()));
  }

  private static String releases() {
    StringBuilder table = new StringBuilder("| rules | releases |\n|---|---|\n");
    for (CoveredReleases one : CoveredReleases.all()) {
      String releases =
          one.releases().stream().map(NcclRelease::toString).collect(Collectors.joining(", "));
      table.append(
          "| %s | %s%s |\n"
              .formatted(one.version(), releases, one.isCompared() ? "" : " (read, not compared)"));
    }
    return table.toString();
  }

  private static String rules() {
    Map<String, Map<String, String>> entries = new LinkedHashMap<>();
    VERSIONS.forEach(version -> entries.put(version, NcclProfile.entries(version)));
    Set<String> keys = new LinkedHashSet<>(NcclProfile.entries("2.28.9").keySet());
    entries.values().forEach(all -> keys.addAll(all.keySet()));
    StringBuilder text = new StringBuilder();
    Set<String> listed = new LinkedHashSet<>();
    SUBJECTS.forEach(
        (prefix, subject) -> {
          List<String> rows = new ArrayList<>();
          for (String key : keys) {
            if (key.startsWith(prefix + ".") && listed.add(key)) {
              List<String> values =
                  VERSIONS.stream()
                      .map(version -> entries.get(version).getOrDefault(key, "none"))
                      .toList();
              if (values.stream().distinct().count() > 1) {
                rows.add("| `" + key + "` | " + byVersion(values) + " |\n");
              }
            }
          }
          if (!rows.isEmpty()) {
            text.append("### ").append(subject).append("\n\n| rule | value |\n|---|---|\n");
            rows.forEach(text::append);
            text.append('\n');
          }
        });
    assertEquals(keys, listed, "keys without subject");
    return text.toString();
  }

  /** The values, each with the versions that have it. */
  private static String byVersion(List<String> values) {
    List<String> parts = new ArrayList<>();
    int from = 0;
    for (int v = 1; v <= values.size(); v++) {
      if (v == values.size() || !Objects.equals(values.get(v), values.get(from))) {
        parts.add(range(from, v - 1) + ": `" + values.get(from) + "`");
        from = v;
      }
    }
    return parts.stream().collect(Collectors.joining("<br>"));
  }

  private static String range(int first, int last) {
    if (first == last) {
      return VERSIONS.get(first);
    }
    return last == VERSIONS.size() - 1
        ? "from " + VERSIONS.get(first)
        : first == 0
            ? "to " + VERSIONS.get(last)
            : VERSIONS.get(first) + " to " + VERSIONS.get(last);
  }
}
