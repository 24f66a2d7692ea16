package dev.topo.probe.javacpp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.topo.probe.nvml.NvmlSnapshot;
import dev.topo.probe.observation.Observation;
import org.junit.jupiter.api.Test;

class JavacppNvmlScopeTest {
  @Test
  void missingLibraryIsAnAbsenceWithAReasonThatStays() {
    Observation<NvmlSnapshot> first = new JavacppNvmlScope().observe();
    boolean absent = first.value().isEmpty();
    if (!absent) {
      System.out.println("NOT RUN: JavacppNvmlScopeTest: this machine has NVIDIA's driver");
    }
    assumeTrue(absent);
    assertFalse(first.reason().isBlank());
    assertEquals(first, new JavacppNvmlScope().observe());
  }
}
