package dev.topo.cli.output;

import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.CharBuffer;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.NullNode;

/**
 * How the command writes JSON: indented, one line feed at the end, numbers as short as they are
 * exact.
 */
public final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .defaultPrettyPrinter(
              new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")))
          .build();

  /** What JSON writes as null. */
  public static final Object NULL = NullNode.getInstance();

  private Json() {}

  /** The text of a tree of maps, lists, texts and numbers. */
  public static String write(Object tree) {
    return MAPPER.writeValueAsString(tree) + "\n";
  }

  /**
   * A tree of maps, lists, texts and numbers that is written as it is walked: what an {@link
   * Iterable} in it makes is not kept.
   */
  public static Answer answer(Object tree) {
    return out -> {
      MAPPER.writeValue(writer(out), tree);
      out.append("\n");
    };
  }

  private static Writer writer(Appendable out) {
    return new Writer() {
      @Override
      public void write(char[] text, int offset, int length) throws IOException {
        out.append(CharBuffer.wrap(text, offset, length));
      }

      @Override
      public void flush() {
        // Whoever gave the target flushes it, and closes it.
      }

      @Override
      public void close() {
        // See flush.
      }
    };
  }

  /**
   * A number in single precision with the digits that distinguish it from its neighbours: 370.8,
   * not 370.7999877929688.
   */
  public static BigDecimal number(float value) {
    return new BigDecimal(Float.toString(value)).stripTrailingZeros();
  }
}
