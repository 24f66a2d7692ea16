package dev.topo.inspect.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RuleTextTest {
  @Test
  void theResourceHasEachRuleOnceAndInOrder() {
    assertEquals(
        Arrays.stream(LintRule.values()).map(LintRule::id).toList(),
        List.copyOf(RuleText.ALL.keySet()));
    assertThrows(IllegalStateException.class, () -> RuleText.of("no-such-rule"));
  }
}
