package dev.topo.model.xml;

/** What can stand inside an element: another element or a comment. NCCL's files have no text. */
public sealed interface XmlNode permits XmlElement, XmlComment {}
