package dev.topo.hw.foreign;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;

/**
 * Value in the XML of another tool, with its location.
 *
 * @param text the value; empty if it is absent
 */
@JsonDeserialize(using = PlacedText.Reader.class)
record PlacedText(String text, int line, int column) {
  static final PlacedText NONE = new PlacedText("", 0, 0);

  static PlacedText orNone(@Nullable PlacedText value) {
    return Objects.requireNonNullElse(value, NONE);
  }

  SourceLocation in(String file) {
    return new SourceLocation(file, line, column);
  }

  /**
   * Records the location of a name that may occur only once in a file.
   *
   * @param kind kind of the name, for the message
   * @throws TopologyFormatException if the name occurs again
   */
  void addOnce(Map<String, PlacedText> places, String kind, String name, String file) {
    PlacedText first = places.putIfAbsent(name, this);
    if (first != null) {
      throw new TopologyFormatException(
          in(file),
          "%s %s: is also in line %s, expected each once".formatted(kind, name, first.line));
    }
  }

  /** Reads a text together with its location. */
  static final class Reader extends ValueDeserializer<PlacedText> {
    @Override
    public PlacedText deserialize(JsonParser parser, DeserializationContext context) {
      TokenStreamLocation at = parser.currentTokenLocation();
      String text = context.readValue(parser, String.class);
      return new PlacedText(
          Objects.requireNonNullElse(text, ""),
          Math.max(1, at.getLineNr()),
          Math.max(1, at.getColumnNr()));
    }
  }
}
