package dev.topo.search.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.topo.model.fixture.DocumentTables;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** docs/nccl-versions/rules.csv is made from the rule files. */
class VersionsDocumentTest {
  private static final List<String> VERSIONS = NcclProfile.versions();

  /** Prefixes of keys, in the order of the file. */
  private static final List<String> SUBJECTS =
      List.of(
          "xml",
          "topology",
          "fault",
          "link",
          "setting",
          "path",
          "channels",
          "search",
          "connect",
          "peer",
          "transfer",
          "buffer",
          "tuning",
          "launch",
          "symmetric",
          "copy-engine",
          "registration");

  @Test
  void theTableIsWhatTheRuleFilesSay() throws IOException {
    Map<String, List<String>> rules = rules();
    DocumentTables.checkFile("docs/nccl-versions/rules.csv", csv(rules));
  }

  /** The rules that differ between versions, each with its value by version. */
  private static Map<String, List<String>> rules() {
    Map<String, Map<String, String>> entries = new LinkedHashMap<>();
    VERSIONS.forEach(version -> entries.put(version, NcclProfile.entries(version)));
    Set<String> keys = new LinkedHashSet<>(NcclProfile.entries("2.28.9").keySet());
    entries.values().forEach(all -> keys.addAll(all.keySet()));
    Map<String, List<String>> rules = new LinkedHashMap<>();
    Set<String> listed = new LinkedHashSet<>();
    for (String subject : SUBJECTS) {
      for (String key : keys) {
        if (key.startsWith(subject + ".") && listed.add(key)) {
          List<String> values =
              VERSIONS.stream()
                  .map(version -> entries.get(version).getOrDefault(key, "none"))
                  .toList();
          if (values.stream().distinct().count() > 1) {
            rules.put(key, values);
          }
        }
      }
    }
    assertEquals(keys, listed, "keys without subject");
    return rules;
  }

  /** A line for the versions in a row that have the same value of a rule. */
  private static String csv(Map<String, List<String>> rules) {
    StringBuilder csv = new StringBuilder("rule,first,last,value\n");
    rules.forEach(
        (key, values) -> {
          int from = 0;
          for (int v = 1; v <= values.size(); v++) {
            if (v == values.size() || !values.get(v).equals(values.get(from))) {
              assertFalse(values.get(from).matches(".*[,\"].*"), () -> key + " needs quotes");
              csv.append(
                  "%s,%s,%s,%s\n"
                      .formatted(key, VERSIONS.get(from), VERSIONS.get(v - 1), values.get(from)));
              from = v;
            }
          }
        });
    return csv.toString();
  }
}
