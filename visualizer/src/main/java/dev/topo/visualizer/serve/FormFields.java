package dev.topo.visualizer.serve;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The fields of a form as a browser writes them ({@code application/x-www-form-urlencoded}). A
 * question, the state in a link and the text that a page sends are the same fields.
 *
 * @param values the values of each field in their order
 */
record FormFields(Map<String, List<String>> values) {
  /** More than a page sends: a field for each edit and each setting. */
  private static final int MOST = 1000;

  /**
   * The fields of a text.
   *
   * @throws RefusedRequest if it is not a form, or has too many fields
   */
  static FormFields parse(String text) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    String[] pairs = text.split("&", MOST + 2);
    if (pairs.length > MOST) {
      throw RefusedRequest.bad("the form has more than %s fields".formatted(MOST));
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

  /** The first value of a field that is not blank. */
  Optional<String> one(String name) {
    return all(name).stream().findFirst();
  }

  /** The values of a field that are not blank, without blanks around them. */
  List<String> all(String name) {
    return values.getOrDefault(name, List.of()).stream()
        .map(String::strip)
        .filter(value -> !value.isEmpty())
        .toList();
  }

  /**
   * A whole number.
   *
   * @throws FieldException if it is not a number
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
