package dev.topo.sweep.yaml;

import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Reads a YAML document of one map. Keys are unique; anchors, aliases and further documents are
 * rejected, because a reader of the file would have to expand them.
 */
public final class YamlReader {
  private static final YAMLFactory FACTORY = new YAMLFactory();

  private final String source;
  private final JsonParser parser;

  private YamlReader(String source, JsonParser parser) {
    this.source = source;
    this.parser = parser;
  }

  /**
   * Reads a text.
   *
   * @param source what to call it in messages
   * @throws TopologyFormatException with line and column if it is no YAML, or not one map
   */
  public static YamlNode.Fields read(String text, String source) {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      YamlReader reader = new YamlReader(source, parser);
      if (parser.nextToken() == null) {
        throw new TopologyFormatException(SourceLocation.of(source), "is empty, expected a map");
      }
      YamlNode.Fields read = reader.node().fields("a map: key: value");
      if (parser.nextToken() != null) {
        throw new TopologyFormatException(reader.here(), "a second document, expected one");
      }
      return read;
    } catch (JacksonException e) {
      TokenStreamLocation place = e.getLocation();
      throw new TopologyFormatException(
          place == null || place.getLineNr() < 1
              ? SourceLocation.of(source)
              : new SourceLocation(source, place.getLineNr(), Math.max(1, place.getColumnNr())),
          "is not YAML: "
              + Objects.requireNonNullElse(e.getOriginalMessage(), "")
                  .lines()
                  .findFirst()
                  .orElse(""),
          e);
    }
  }

  private SourceLocation here() {
    TokenStreamLocation place = parser.currentTokenLocation();
    return new SourceLocation(source, place.getLineNr(), place.getColumnNr());
  }

  private YamlNode node() {
    SourceLocation location = here();
    JsonToken token = parser.currentToken();
    if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
      throw new TopologyFormatException(location, "an alias, expected its value written out");
    }
    if (token == JsonToken.START_OBJECT) {
      return new YamlNode.Fields(fields(), location);
    }
    if (token == JsonToken.START_ARRAY) {
      List<YamlNode> items = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        items.add(node());
      }
      return new YamlNode.Items(items, location);
    }
    return new YamlNode.Text(
        token == JsonToken.VALUE_NULL ? "" : Objects.requireNonNullElse(parser.getString(), ""),
        location);
  }

  private Map<String, YamlNode> fields() {
    Map<String, YamlNode> fields = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      SourceLocation location = here();
      parser.nextToken();
      if (fields.put(key, node()) != null) {
        throw new TopologyFormatException(location, "key " + key + " is there twice");
      }
    }
    return fields;
  }
}
