package dev.topo.search.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.search.engine.SearchMonitor.StepBudget;
import dev.topo.search.rules.NcclProfile;
import org.junit.jupiter.api.Test;

class StepBudgetTest {
  @Test
  void givesAsManyStepsAsItHas() {
    StepBudget budget = new StepBudget(2);
    assertTrue(budget.take());
    assertFalse(budget.isExhausted());
    assertTrue(budget.take());
    assertTrue(budget.isExhausted());
    assertFalse(budget.take());
    assertEquals(2, budget.taken());
    assertEquals(0, budget.left());
  }

  @Test
  void givesNoMoreStepsOnceNothingCanBeBetter() {
    StepBudget budget = new StepBudget(2);
    budget.take();
    budget.endPerfect();
    assertTrue(budget.isPerfect());
    assertFalse(budget.take());
    assertEquals(1, budget.taken());
  }

  @Test
  void aPerfectEndIsNotExhausted() {
    StepBudget budget = new StepBudget(1);
    budget.take();
    budget.endPerfect();
    assertFalse(budget.isExhausted());
  }

  @Test
  void limitsAreNccls() {
    assertEquals(256, NcclProfile.DEFAULT.search().stepsSameChannels);
    assertEquals(16384, NcclProfile.DEFAULT.search().stepsDifferentChannels);
    assertEquals(1024, NcclProfile.DEFAULT.search().stepsPciOrder);
    assertEquals(524288, NcclProfile.DEFAULT.search().stepsTotal);
  }
}
