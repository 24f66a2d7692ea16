package dev.topo.inspect.measured;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A value of a YAML or JSON document: a text, a list or a map. Numbers are kept as text. */
public sealed interface YamlNode {
  /** Location of the value in the document. */
  SourceLocation location();

  /** A scalar; empty where a key has no value. */
  record Text(String text, SourceLocation location) implements YamlNode {}

  /** A list. */
  record Items(List<YamlNode> items, SourceLocation location) implements YamlNode {
    public Items {
      items = List.copyOf(items);
    }
  }

  /**
   * A map, in the order of the document.
   *
   * @param fields values by key
   * @param places locations by key
   */
  record Fields(
      Map<String, YamlNode> fields, Map<String, SourceLocation> places, SourceLocation location)
      implements YamlNode {
    public Fields {
      fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
      places = Map.copyOf(places);
    }

    /** The value of a key; empty if the map does not have it. */
    public Optional<YamlNode> find(String key) {
      return Optional.ofNullable(fields.get(key));
    }

    /**
     * The value of a key.
     *
     * @param problem the message if the map does not have it
     */
    public YamlNode require(String key, String problem) {
      return find(key).orElseThrow(() -> error(problem));
    }

    /**
     * Checks that the map has known keys only.
     *
     * @throws TopologyFormatException at the first other key
     */
    public Fields requireOnly(Set<String> known) {
      for (String key : fields.keySet()) {
        if (!known.contains(key)) {
          throw wrong(key, "expected one of " + String.join(", ", known));
        }
      }
      return this;
    }

    /** An error at a key. */
    public TopologyFormatException wrong(String key, String message) {
      return new TopologyFormatException(
          places.getOrDefault(key, location), "key " + key + ": " + message);
    }
  }

  /** The text, stripped; an error that names what is expected if it is blank, a list or a map. */
  default String text(String expected) {
    if (this instanceof Text scalar && !scalar.text.isBlank()) {
      return scalar.text.strip();
    }
    throw error("expected " + expected);
  }

  /** The items of a list. A text counts as a list of one item, a missing value as an empty list. */
  default List<YamlNode> items(String expected) {
    if (this instanceof Items list) {
      return list.items;
    }
    if (this instanceof Text scalar) {
      return scalar.text.isBlank() ? List.of() : List.of(this);
    }
    throw error("expected " + expected);
  }

  /** The map; an error that names what is expected if the value is a text or a list. */
  default Fields fields(String expected) {
    if (this instanceof Fields map) {
      return map;
    }
    throw error("expected " + expected);
  }

  /** An error at this value. */
  default TopologyFormatException error(String message) {
    return new TopologyFormatException(
        location(), this instanceof Text scalar ? "'" + scalar.text + "': " + message : message);
  }
}
