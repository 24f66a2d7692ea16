package dev.topo.model.nic;

import dev.topo.model.xml.XmlTreeNode;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A network port that may become part of a virtual device.
 *
 * @param name the name of its device, {@code mlx5_0}
 * @param number its number among the ports of its card
 * @param linkLayer InfiniBand or Ethernet, or the same text for all ports if unknown; ports of
 *     different link layers are not merged
 * @param net its element
 */
public record PhysicalPort(String name, int number, String linkLayer, XmlTreeNode net) {
  /** Device and function at the end of a bus id, which the network ignores. */
  private static final Pattern DEVICE = Pattern.compile("[0-9a-fA-F]{2}\\.[0-9a-fA-F]$");

  /**
   * True if the network of NCCL 2.20 to 2.23 considers another port to be on the same card, by bus,
   * GUID and link layer ({@code ncclIbFindMatchingDev}, {@code nccl:src/transport/net_ib.cc}).
   */
  boolean isPaired(PhysicalPort other) {
    return bus().isPresent()
        && bus().equals(other.bus())
        && net.value("guid").equals(other.net.value("guid"))
        && linkLayer.equals(other.linkLayer);
  }

  private Optional<String> bus() {
    return net.parent()
        .flatMap(XmlTreeNode::parent)
        .flatMap(card -> card.attribute("busid"))
        .map(id -> DEVICE.matcher(id).replaceFirst(""));
  }
}
