package dev.topo.model.xml;

import dev.topo.model.xml.XmlDocument.XmlElement;

/** The content of an element: another element or a comment. NCCL's files have no text. */
public sealed interface XmlNode permits XmlElement, XmlTreeNode, XmlComment {}
