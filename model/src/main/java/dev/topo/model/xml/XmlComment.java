package dev.topo.model.xml;

/**
 * A comment.
 *
 * @param text what stands between the marks
 */
public record XmlComment(String text) implements XmlNode {}
