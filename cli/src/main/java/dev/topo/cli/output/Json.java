package dev.topo.cli.output;

import java.math.BigDecimal;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.NullNode;

/**
 * How the command writes JSON: indented, one line feed at the end, numbers as short as they are
 * exact.
 */
public final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  /** What JSON writes as null. */
  public static final Object NULL = NullNode.getInstance();

  private Json() {}

  /** The text of a tree of maps, lists, texts and numbers. */
  public static String write(Object tree) {
    return MAPPER.writeValueAsString(tree).replace("\r\n", "\n") + "\n";
  }

  /**
   * A number in single precision with the digits that tell it from its neighbours: 370.8, not
   * 370.7999877929688.
   */
  public static BigDecimal number(float value) {
    return new BigDecimal(Float.toString(value)).stripTrailingZeros();
  }
}
