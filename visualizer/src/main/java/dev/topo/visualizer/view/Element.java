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
 * An element of a page.
 *
 * @param name its name
 * @param attributes values by name, in the order in which they are written; an empty value is
 *     written as the name alone
 * @param content its content
 */
public record Element(String name, Map<String, String> attributes, List<Markup> content)
    implements Markup {
  private static final Pattern NAME = Pattern.compile("[a-z][a-zA-Z0-9-]*");

  /** Checks the names and copies the parts. */
  public Element {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("\"" + name + "\" is no name of an element");
    }
    for (String attribute : attributes.keySet()) {
      // A handler in an attribute would be a script made of data.
      if (!NAME.matcher(attribute).matches()
          || attribute.toLowerCase(Locale.ROOT).startsWith("on")) {
        throw new IllegalArgumentException("\"" + attribute + "\" is no name of an attribute");
      }
    }
    attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    content = List.copyOf(content);
  }

  /** An element with some parts in it. */
  public static Element of(String name, Markup... content) {
    return of(name, List.of(content));
  }

  /** A section of a page with a heading; the navigation refers to its id. */
  public static Element section(String id, String heading, Markup... content) {
    return section(id, heading, List.of(content));
  }

  /** A section of a page with a heading; the navigation refers to its id. */
  public static Element section(String id, String heading, List<? extends Markup> content) {
    List<Markup> parts = new ArrayList<>(List.of(of("h2", heading)));
    parts.addAll(content);
    return of("section", parts).with("id", id);
  }

  /** An element with some parts in it. */
  public static Element of(String name, List<? extends Markup> content) {
    return new Element(name, Map.of(), List.copyOf(content));
  }

  /** An element with a text in it. */
  public static Element of(String name, String text) {
    return of(name, Markup.text(text));
  }

  /** A paragraph. */
  public static Element paragraph(String text) {
    return of("p", text);
  }

  /** A list of texts, without numbers. */
  public static Element list(Collection<String> texts) {
    return of("ul", texts.stream().map(text -> of("li", text)).toList());
  }

  /** This element with an attribute more. */
  public Element with(String attribute, String value) {
    Map<String, String> more = new LinkedHashMap<>(attributes);
    more.put(attribute, value);
    return new Element(name, more, content);
  }

  /** This element with an attribute that has no value. */
  public Element with(String attribute) {
    return with(attribute, "");
  }

  /** This element with a class of the style sheet. */
  public Element as(String styleClass) {
    return with("class", styleClass);
  }

  /** This element with a part more at its end. */
  public Element add(Markup part) {
    List<Markup> more = new ArrayList<>(content);
    more.add(part);
    return new Element(name, attributes, more);
  }
}
