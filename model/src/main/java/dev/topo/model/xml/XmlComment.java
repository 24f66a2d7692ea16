package dev.topo.model.xml;

/**
 * A comment.
 *
 * @param text the text between the marks
 */
public record XmlComment(String text) implements XmlNode {}
