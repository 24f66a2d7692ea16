package dev.topo.hw.foreign;

import dev.topo.model.xml.XmlDocument;

/**
 * Topology file completed with assumed devices.
 *
 * @param document the file as NCCL completes it at run time
 * @param assumed the assumed devices, in one sentence; empty if nothing was missing
 * @param elementsOfRank elements, of NCCL's 256, in the tree of one rank before it is trimmed: the
 *     file, a GPU and all network ports
 * @param elementsFused elements in the joined tree of all ranks
 */
public record CompletedMachine(
    XmlDocument document, String assumed, int elementsOfRank, int elementsFused) {}
