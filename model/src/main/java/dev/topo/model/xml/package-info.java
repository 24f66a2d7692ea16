/**
 * NCCL's XML: topology files (NCCL_TOPO_FILE, NCCL_TOPO_DUMP_FILE) and graph files
 * (NCCL_GRAPH_FILE, NCCL_GRAPH_DUMP_FILE). A file is read to an ordered tree of {@link
 * dev.topo.model.xml.XmlElement}s first, which keeps everything that stands in it, and mapped to
 * the model second. Start with {@link dev.topo.model.xml.TopologyReader}. Only this package of the
 * module touches Jackson and StAX. Reference: {@code nccl:src/graph/xml.cc}, NCCL 2.28.9.
 */
@NullMarked
package dev.topo.model.xml;

import org.jspecify.annotations.NullMarked;
