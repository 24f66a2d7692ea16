package dev.topo.hw.probe;

import dev.topo.hw.sysfs.NetPort;
import dev.topo.model.xml.PciClass;
import dev.topo.model.xml.XmlTree;
import dev.topo.model.xml.XmlTreeNode;
import java.util.Optional;

/**
 * Adds network devices to the tree of a rank ({@code ncclTopoPopulateNics}, {@code
 * nccl:src/graph/topo.cc}, and {@code ncclTopoFillNet}, {@code nccl:src/graph/xml.cc}).
 */
record NetFiller(XmlTree tree, PciPlacer placer, boolean gpuDmaBuf) {
  /**
   * Adds or completes a device.
   *
   * @param forcedParent parent to use instead of the one that the bus id determines
   */
  XmlTreeNode fill(NetPort port, int dev, Optional<XmlTreeNode> forcedParent) {
    XmlTreeNode net =
        tree.find("net", "name", port.name()).orElseGet(() -> create(port, forcedParent));
    net.set("keep", "1");
    net.set("dev", dev);
    net.setIfUnset("latency", "0");
    net.setIfUnset("speed", port.speedMbps());
    net.setIfUnset("port", port.port());
    net.setIfUnset("guid", "0x" + Long.toHexString(port.guid()));
    net.setIfUnset("maxconn", port.maxConnections());
    boolean gdr = port.peerMemory() || (port.dmaBuf() && gpuDmaBuf);
    net.setIfUnset("gdr", gdr ? "1" : "0");
    return net;
  }

  private XmlTreeNode create(NetPort port, Optional<XmlTreeNode> forcedParent) {
    return tree.addPort(forcedParent.orElseGet(() -> parent(port)), port.name());
  }

  private XmlTreeNode parent(NetPort port) {
    return port.busId()
        .map(busId -> placer.place(busId, PciClass.NIC))
        .orElseGet(() -> tree.all("cpu").stream().findFirst().orElseGet(() -> placer.cpu("-1")));
  }
}
