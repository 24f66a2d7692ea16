package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class AgreementTest {
  private final Agreement agreement = new Agreement("AgreementTest");

  private String failure() {
    return String.valueOf(assertThrows(AssertionError.class, agreement::finish).getMessage());
  }

  @Test
  void nothingComparedIsNoAgreement() {
    String failure = failure();
    assertTrue(failure.startsWith("AgreementTest: nothing was compared"), failure);
  }

  @Test
  void equalTextsAgree() {
    agreement.addEqual("one", "a\nb\n", "a\nb\n");
    agreement.finish();
  }

  @Test
  void theFirstUnequalLineIsNamed() {
    agreement.addEqual("one", "a\nb\n", "a\nb\n");
    agreement.addEqual("two", "a\nb\n", "a\nc\n");
    String failure = failure();
    assertTrue(failure.contains("two: line 2 expected b but found c"), failure);
  }
}
