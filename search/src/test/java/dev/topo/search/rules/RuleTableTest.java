package dev.topo.search.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link RuleTable}: the lines of a rule file. */
class RuleTableTest {
  @ParameterizedTest
  @ValueSource(strings = {"link.local", "= 3", "no value"})
  void rejectsLinesWithoutKeyAndValue(String line) {
    assertThrows(
        IllegalArgumentException.class, () -> RuleTable.add(line, new LinkedHashMap<>(), "file"));
  }

  @Test
  void rejectsAKeyThatIsThereTwice() {
    Map<String, String> values = new LinkedHashMap<>();
    RuleTable.add("a = 1", values, "file");
    assertEquals(Map.of("a", "1"), values);
    assertThrows(IllegalArgumentException.class, () -> RuleTable.add("a = 2", values, "file"));
  }
}
