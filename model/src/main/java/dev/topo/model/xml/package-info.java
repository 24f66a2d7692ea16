/**
 * NCCL's XML: topology files (NCCL_TOPO_FILE, NCCL_TOPO_DUMP_FILE) and graph files
 * (NCCL_GRAPH_FILE, NCCL_GRAPH_DUMP_FILE). A file is read to an ordered tree of {@link
 * dev.topo.model.xml.XmlDocument.XmlElement}s first, which keeps all its content, and mapped to
 * values second. Start with {@link dev.topo.model.xml.XmlReader}. Only this package of the module
 * uses Jackson and StAX. Reference: {@code nccl:src/graph/xml.cc}.
 */
@NullMarked
package dev.topo.model.xml;

import org.jspecify.annotations.NullMarked;
