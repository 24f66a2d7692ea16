package dev.topo.inspect.measured;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Reads a document of YAML or JSON. Duplicate keys, aliases and further documents are rejected, so
 * that the file means what a human reads in it.
 */
public record YamlReader(String source, JsonParser parser) {
  static final YAMLFactory FACTORY = new YAMLFactory();

  /** Matches a problem, its line and its column in a message of the parser. */
  private static final Pattern FAULT =
      Pattern.compile(
          "(?m)^(.*?)(?: \\(Do not use .*\\))?\\n in reader, line (\\d+), column (\\d+):");

  /**
   * Parses a document.
   *
   * @param source name of the document in error messages
   * @throws TopologyFormatException with line and column if the text is not YAML, or not one map
   */
  public static YamlNode.Fields read(String text, String source) {
    return read(text, source, FACTORY).fields("a map: key: value");
  }

  /**
   * Parses a document, which need not be a map.
   *
   * @param format the format of the text: YAML or JSON
   */
  static YamlNode read(String text, String source, TokenStreamFactory format) {
    try (JsonParser parser = format.createParser(ObjectReadContext.empty(), text)) {
      YamlReader reader = new YamlReader(source, parser);
      if (parser.nextToken() == null) {
        throw new TopologyFormatException(source, "is empty, expected a map");
      }
      YamlNode read = reader.node();
      if (parser.nextToken() != null) {
        throw new TopologyFormatException(reader.here(), "a second document, expected one");
      }
      return read;
    } catch (JacksonException e) {
      throw fault(e, source, format.getFormatName());
    }
  }

  /**
   * Converts an error of the parser. Its message has first the context with a location, then the
   * problem with its location; the result has the location of the problem.
   */
  private static TopologyFormatException fault(JacksonException e, String source, String format) {
    String message = Objects.requireNonNullElse(e.getOriginalMessage(), "");
    TokenStreamLocation at = e.getLocation();
    SourceLocation place =
        at == null || at.getLineNr() < 1
            ? SourceLocation.of(source)
            : new SourceLocation(source, at.getLineNr(), at.getColumnNr());
    List<String> parts = new ArrayList<>();
    Matcher matcher = FAULT.matcher(message);
    while (matcher.find()) {
      place =
          new SourceLocation(
              source, Integer.parseInt(matcher.group(2)), Integer.parseInt(matcher.group(3)));
      parts.add(0, matcher.group(1));
    }
    return new TopologyFormatException(
        place,
        "is not %s: ".formatted(format)
            + (parts.isEmpty() ? message.lines().findFirst().orElse("") : String.join(", ", parts)),
        e);
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
      return fields(location);
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

  private YamlNode fields(SourceLocation start) {
    Map<String, YamlNode> fields = new LinkedHashMap<>();
    Map<String, SourceLocation> places = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      SourceLocation location = here();
      parser.nextToken();
      places.put(key, location);
      if (fields.put(key, node()) != null) {
        throw new TopologyFormatException(location, "key " + key + " is there twice");
      }
    }
    return new YamlNode.Fields(fields, places, start);
  }
}
