package dev.topo.cli.output;

/** Fields of comma-separated values (RFC 4180). */
public final class Csv {
  private Csv() {}

  /** A text as a field: in quotes where it needs them. */
  public static String field(String text) {
    return text.matches("[^\",\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
