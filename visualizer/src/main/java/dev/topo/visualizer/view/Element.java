package dev.topo.visualizer.view;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * An HTML element of a page.
 *
 * @param name the name of the element
 * @param attributes the attribute values by name, in the order in which they are written; an
 *     attribute with an empty value is written as its name alone
 * @param content the children of the element
 */
public record Element(String name, Map<String, String> attributes, List<Markup> content)
    implements Markup {
  private static final Pattern NAME = Pattern.compile("[a-z][a-zA-Z0-9-]*");

  /** Checks the names and copies the collections. */
  public Element {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("\"" + name + "\" is no name of an element");
    }
    for (String attribute : attributes.keySet()) {
      // An event handler in an attribute would turn data into a script.
      if (!NAME.matcher(attribute).matches()
          || attribute.toLowerCase(Locale.ROOT).startsWith("on")) {
        throw new IllegalArgumentException("\"" + attribute + "\" is no name of an attribute");
      }
    }
    attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    content = List.copyOf(content);
  }

  /** Returns an element with the given children. */
  public static Element of(String name, Markup... content) {
    return of(name, List.of(content));
  }

  /** Returns a section with a heading; the navigation links to its id. */
  public static Element section(String id, String heading, Markup... content) {
    return section(id, heading, List.of(content));
  }

  /** Returns a section with a heading; the navigation links to its id. */
  public static Element section(String id, String heading, List<? extends Markup> content) {
    List<Markup> parts = new ArrayList<>(List.of(of("h2", heading)));
    parts.addAll(content);
    return of("section", parts).with("id", id);
  }

  /** Returns an element with the given children. */
  public static Element of(String name, List<? extends Markup> content) {
    return new Element(name, Map.of(), List.copyOf(content));
  }

  /** Returns an element with a text. */
  public static Element of(String name, String text) {
    return of(name, Markup.text(text));
  }

  /** Returns a paragraph. */
  public static Element paragraph(String text) {
    return of("p", text);
  }

  /** Returns an unordered list of texts. */
  public static Element list(Collection<String> texts) {
    return of("ul", texts.stream().map(text -> of("li", text)).toList());
  }

  /** Returns this element with one more attribute. */
  public Element with(String attribute, String value) {
    Map<String, String> more = new LinkedHashMap<>(attributes);
    more.put(attribute, value);
    return new Element(name, more, content);
  }

  /** Returns this element with an attribute without a value. */
  public Element with(String attribute) {
    return with(attribute, "");
  }

  /** Returns this element with a class of the style sheet. */
  public Element as(String styleClass) {
    return with("class", styleClass);
  }

  /** Returns this element with one more child at its end. */
  public Element add(Markup part) {
    List<Markup> more = new ArrayList<>(content);
    more.add(part);
    return new Element(name, attributes, more);
  }
}
