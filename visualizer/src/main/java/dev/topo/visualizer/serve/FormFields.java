package dev.topo.visualizer.serve;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The fields of a form as encoded by a browser ({@code application/x-www-form-urlencoded}).
 * Questions, the state in a link and the text that a page sends all use these fields.
 *
 * @param values the values of each field, in order
 */
record FormFields(Map<String, List<String>> values) {
  /** Maximum number of fields; pages send fewer: one for each edit and each setting. */
  private static final int MAX_FIELDS = 1000;

  /**
   * Parses the fields of a text.
   *
   * @throws RefusedRequest if it is not a form, or has too many fields
   */
  static FormFields parse(String text) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    String[] pairs = text.split("&", MAX_FIELDS + 2);
    if (pairs.length > MAX_FIELDS) {
      throw RefusedRequest.bad("the form has more than %s fields".formatted(MAX_FIELDS));
    }
    for (String pair : pairs) {
      String[] parts = pair.split("=", 2);
      if (!parts[0].isEmpty()) {
        values
            .computeIfAbsent(decoded(parts[0]), name -> new ArrayList<>())
            .add(parts.length == 1 ? "" : decoded(parts[1]));
      }
    }
    return new FormFields(values);
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw RefusedRequest.bad("the form is not URL-encoded");
    }
  }

  /** The first value of a field that is not blank; empty if there is none. */
  Optional<String> one(String name) {
    return all(name).stream().findFirst();
  }

  /** The values of a field that are not blank, without surrounding blanks. */
  List<String> all(String name) {
    return values.getOrDefault(name, List.of()).stream()
        .map(String::strip)
        .filter(value -> !value.isEmpty())
        .toList();
  }

  /**
   * The value of a field as an integer; empty if the field is absent.
   *
   * @throws FieldException if the value is not an integer
   */
  Optional<Integer> number(String name) {
    return one(name)
        .map(
            value -> {
              try {
                return Integer.valueOf(value);
              } catch (NumberFormatException e) {
                throw FieldException.of(name, "'" + value + "': expected a whole number");
              }
            });
  }
}
