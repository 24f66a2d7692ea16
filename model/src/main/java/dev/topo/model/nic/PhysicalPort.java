package dev.topo.model.nic;

import dev.topo.model.xml.XmlTreeNode;

/**
 * A network port that may become part of a virtual device.
 *
 * @param name the name of its device, {@code mlx5_0}
 * @param number its number among the ports of its card
 * @param linkLayer InfiniBand or Ethernet, or one text for all where that is not known; ports of
 *     different ones are not merged
 * @param net its element
 */
public record PhysicalPort(String name, int number, String linkLayer, XmlTreeNode net) {}
