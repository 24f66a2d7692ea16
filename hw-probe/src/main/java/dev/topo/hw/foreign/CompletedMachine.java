package dev.topo.hw.foreign;

import dev.topo.model.xml.XmlDocument;

/**
 * A topology file with the devices that were assumed.
 *
 * @param document the file as NCCL would have it at run time
 * @param assumed the assumed devices, in one sentence; empty if nothing was missing
 * @param elementsOfRank how many of NCCL's 256 elements the tree of one rank takes before it is
 *     trimmed: the file, a GPU and all network ports
 * @param elementsFused how many the trees of all ranks take when they are joined
 */
public record CompletedMachine(
    XmlDocument document, String assumed, int elementsOfRank, int elementsFused) {}
