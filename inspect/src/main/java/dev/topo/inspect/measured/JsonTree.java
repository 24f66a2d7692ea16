package dev.topo.inspect.measured;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.io.TopologyFormatException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Value in a JSON file with its path, so that errors can name it: {@code results[3].size}.
 *
 * @param file name of the file
 * @param source text of the file
 * @param path path of the value; empty for the whole document
 * @param node the value
 */
record JsonTree(String file, String source, String path, JsonNode node) {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /**
   * Parses a text.
   *
   * @param file name of the file for messages
   * @throws TopologyFormatException if the text is not JSON; with line and column
   */
  static JsonTree read(String text, String file) {
    try {
      return new JsonTree(file, text, "", MAPPER.readTree(text));
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      throw new TopologyFormatException(
          at == null ? SourceLocation.of(file) : location(file, at),
          "is not JSON: " + e.getOriginalMessage().replaceFirst(" \\(.*", ""),
          e);
    }
  }

  /** True if an object has a member that is not null. */
  boolean has(String name) {
    return node.has(name) && !node.get(name).isNull();
  }

  /**
   * Member of an object.
   *
   * @throws TopologyFormatException if it is missing
   */
  JsonTree get(String name) {
    if (!node.has(name)) {
      throw wrong(path(name) + " is missing");
    }
    return new JsonTree(file, source, path(name), node.get(name));
  }

  private String path(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  /**
   * Entries of a list.
   *
   * @throws TopologyFormatException if this is not a list
   */
  List<JsonTree> entries() {
    if (!node.isArray()) {
      throw wrongHere("expected a list");
    }
    return IntStream.range(0, node.size())
        .mapToObj(i -> new JsonTree(file, source, path + "[" + i + "]", node.get(i)))
        .toList();
  }

  /** Entries of a list member; empty if it is missing. */
  List<JsonTree> entries(String name) {
    return has(name) ? get(name).entries() : List.of();
  }

  /**
   * This value as a text.
   *
   * @throws TopologyFormatException if it is not one
   */
  /** The texts of a list; none if it is absent. */
  List<String> texts(String name) {
    return entries(name).stream().map(JsonTree::text).toList();
  }

  /** A whole number; empty if it is absent. */
  OptionalInt count(String name) {
    return has(name) ? OptionalInt.of((int) get(name).integer()) : OptionalInt.empty();
  }

  String text() {
    return expected(node.isString(), "a text").asString();
  }

  /** Text of a member; empty if it is missing. */
  Optional<String> text(String name) {
    return has(name) ? Optional.of(get(name).text()) : Optional.empty();
  }

  /** Number of a member; empty if it is missing. */
  OptionalDouble number(String name) {
    return has(name) ? OptionalDouble.of(get(name).number()) : OptionalDouble.empty();
  }

  /**
   * This value as a number.
   *
   * @throws TopologyFormatException if it is not one
   */
  double number() {
    return expected(node.isNumber(), "a number").asDouble();
  }

  /**
   * This value as a whole number.
   *
   * @throws TopologyFormatException if it is not one
   */
  long integer() {
    return expected(node.isIntegralNumber() && node.canConvertToLong(), "a whole number").asLong();
  }

  /** Whole number of a member, or {@code defaultValue} if it is missing. */
  long integer(String name, long defaultValue) {
    return has(name) ? get(name).integer() : defaultValue;
  }

  /**
   * This value as a boolean.
   *
   * @throws TopologyFormatException if it is not one
   */
  boolean bool() {
    return expected(node.isBoolean(), "true or false").booleanValue();
  }

  private JsonNode expected(boolean isValid, String what) {
    if (!isValid) {
      throw wrong(path + " is " + node + ": expected " + what);
    }
    return node;
  }

  /** Returns an error whose message starts with the path of this value. */
  TopologyFormatException wrongHere(String what) {
    return wrong(path + ": " + what);
  }

  /** Returns an error at the location of this value. */
  TopologyFormatException wrong(String what) {
    return wrong(SpecText.of("%s", what));
  }

  /** Returns an error at the location of this value, with references to inputs. */
  TopologyFormatException wrong(SpecText what) {
    return new TopologyFormatException(location(), what);
  }

  /** Finds the location of the value. The tree has no locations, so the text is parsed again. */
  private SourceLocation location() {
    try (JsonParser parser = MAPPER.createParser(source)) {
      while (parser.nextToken() != null) {
        JsonToken token = parser.currentToken();
        boolean isValue = token != JsonToken.PROPERTY_NAME && !token.isStructEnd();
        TokenStreamContext at = parser.streamReadContext();
        if (isValue && path(token.isStructStart() ? at.getParent() : at).equals(path)) {
          return location(file, parser.currentTokenLocation());
        }
      }
    }
    return SourceLocation.of(file);
  }

  private static SourceLocation location(String file, TokenStreamLocation at) {
    return new SourceLocation(file, Math.max(1, at.getLineNr()), Math.max(1, at.getColumnNr()));
  }

  private static String path(TokenStreamContext at) {
    if (at.inRoot()) {
      return "";
    }
    String before = path(at.getParent());
    return at.inArray()
        ? before + "[" + at.getCurrentIndex() + "]"
        : before + (before.isEmpty() ? "" : ".") + at.currentName();
  }
}
