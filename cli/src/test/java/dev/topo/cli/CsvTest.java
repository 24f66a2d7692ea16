package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.operation.Collective;
import dev.topo.visualizer.view.Csv;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvTest {
  private static String row(Object... cells) throws IOException {
    StringBuilder out = new StringBuilder();
    Csv.table("a,b", Stream.of(List.of(cells))).writeTo(out);
    return out.toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "a b (4 GPUs)|a b (4 GPUs)",
        "m,n \"q\"|\"m,n \"\"q\"\"\"",
        "x\"|\"x\"\"\"",
        "''|''"
      })
  void isQuotedWhereItMustBe(String text, String field) throws IOException {
    assertEquals("a,b\n1," + field + "\n", row(1, text));
  }

  @Test
  void valuesAreSpelledAsInJson() throws IOException {
    assertEquals("a,b\nall_reduce,0.333333\n", row(Collective.ALL_REDUCE, 1.0 / 3));
    assertEquals("a,b\n370.8,\n", row(370.8f, Optional.empty()));
    assertEquals("a,b\n12345700,100\n", row(12345678.9, 100.0));
  }
}
