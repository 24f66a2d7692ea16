package dev.topo.inspect.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import org.junit.jupiter.api.Test;

class UnifiedDiffTest {
  @Test
  void changesHaveTheirPlaceAndWhatIsAround() {
    assertEquals(
        """
        --- x.xml
        +++ x.xml
        @@ -2,7 +2,7 @@
         2
         3
         4
        -5
        +five
         6
         7
         8
        """,
        UnifiedDiff.of("x.xml", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"));
  }

  @Test
  void equalTextsHaveNone() {
    assertEquals("", UnifiedDiff.of("x.xml", "1\n2", "1\n2"));
  }

  @Test
  void aMissingLineEndIsMarked() {
    assertEquals(
        """
        --- x
        +++ x
        @@ -1,2 +1,2 @@
         1
        -2\r
        \\ No newline at end of file
        +3
        """,
        UnifiedDiff.of("x", "1\n2\r", "1\n3\n"));
  }

  @Test
  void veryManyChangesAreOne() {
    String before = String.join("\n", Collections.nCopies(3000, "a")) + "\n";
    String after = String.join("\n", Collections.nCopies(3000, "b")) + "\n";
    assertTrue(UnifiedDiff.of("x", before, after).contains("@@ -1,3000 +1,3000 @@\n"));
  }
}
