package dev.topo.model.xml;

/**
 * A comment.
 *
 * @param text the text between the marks
 */
record XmlComment(String text) implements XmlNode {}
