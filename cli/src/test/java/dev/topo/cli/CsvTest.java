package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.cli.output.Csv;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvTest {
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
  void isQuotedWhereItMustBe(String text, String field) {
    assertEquals(field, Csv.field(text));
  }
}
