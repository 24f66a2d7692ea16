package dev.topo.model.xml;

import dev.topo.model.Node.BusId;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Reads the attributes of one element as typed values; an invalid value fails with its location and
 * the expected form.
 */
public record Attributes(XmlElement element) {
  /** Attributes in this order: names and values by turns. */
  public static Map<String, String> inOrder(Object... namesAndValues) {
    Map<String, String> attributes = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      attributes.put(namesAndValues[i].toString(), namesAndValues[i + 1].toString());
    }
    return attributes;
  }

  public boolean has(String name) {
    return element.attributes().containsKey(name);
  }

  public String text(String name) {
    String value = element.attributes().get(name);
    if (value == null) {
      throw element.error("attribute " + name + " is missing");
    }
    return value;
  }

  public String text(String name, String defaultValue) {
    return element.attributes().getOrDefault(name, defaultValue);
  }

  public int integer(String name) {
    return value(name, Attributes::parseInteger, "an integer");
  }

  public int integer(String name, int defaultValue) {
    return has(name) ? integer(name) : defaultValue;
  }

  /** An integer from 0 to {@code max}. */
  public int count(String name, int max) {
    int count = integer(name);
    if (count < 0 || count > max) {
      throw bad(name, text(name), "an integer from 0 to " + max);
    }
    return count;
  }

  public float decimal(String name, float defaultValue) {
    return has(name) ? value(name, Attributes::parseFloat, "a number") : defaultValue;
  }

  public BusId busId(String name) {
    return value(name, BusId::new, "a PCI bus id such as 0000:1b:00.0");
  }

  /** 64 bits in hexadecimal, with or without {@code 0x}. */
  long hex(String name, long defaultValue) {
    return has(name)
        ? value(
            name,
            text -> Long.parseUnsignedLong(text.replaceFirst("^0[xX]", ""), 16),
            "a hexadecimal number of at most 64 bits")
        : defaultValue;
  }

  /**
   * 64 bits in hexadecimal as C's {@code strtoull} reads them: only the leading digits count. For
   * identities that NCCL only compares and that users may mask before they share a file.
   */
  public long leadingHex(String name, long defaultValue, Diagnostics diagnostics) {
    if (!has(name)) {
      return defaultValue;
    }
    String text = text(name);
    int start = text.startsWith("0x") || text.startsWith("0X") ? 2 : 0;
    int end = start;
    while (end < text.length() && Character.digit(text.charAt(end), 16) >= 0) {
      end++;
    }
    if (end < text.length() || end == start || end - start > 16) {
      diagnostics.warn(
          "bad-hex",
          location(),
          "<%s>: attribute %s=\"%s\", expected a hexadecimal number of 64 bits"
              .formatted(element.name(), name, text));
    }
    end = Math.min(end, start + 16);
    return end == start ? 0 : Long.parseUnsignedLong(text.substring(start, end), 16);
  }

  private <T> T value(String name, Function<String, T> parser, String expected) {
    String text = text(name);
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw bad(name, text, expected);
    }
  }

  private static int parseInteger(String text) {
    if (text.isEmpty() || text.contains("#")) {
      throw new NumberFormatException(text);
    }
    return Integer.decode(text);
  }

  private static float parseFloat(String text) {
    float value = Float.parseFloat(text);
    if (!Float.isFinite(value)) {
      throw new NumberFormatException(text);
    }
    return value;
  }

  TopologyFormatException bad(String name, String value, String expected) {
    return element.error("attribute %s=\"%s\", expected %s".formatted(name, value, expected));
  }

  public SourceLocation location() {
    return element.location();
  }
}
