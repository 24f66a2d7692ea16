package dev.topo.hw.nvml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.topo.model.fixture.NotRun;
import org.junit.jupiter.api.Test;

class JavacppNvmlScopeTest {
  @Test
  void missingLibraryIsAnAbsenceWithAReasonThatStays() {
    Observation<NvmlSnapshot> first = new JavacppNvmlScope().observe();
    NotRun.unless(
        first.value().isEmpty(), "a missing NVML library (this machine has NVIDIA's driver)");
    assertFalse(first.reason().isBlank());
    assertEquals(first, new JavacppNvmlScope().observe());
  }
}
