package dev.topo.hw.probe;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlTree;
import dev.topo.model.xml.XmlTreeNode;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Adds to a topology which GPUs may access each other according to the driver, unless the GPU
 * models determine it: NCCL queries NVML at run time ({@code ncclTopoCheckP2p}, {@code
 * nccl:src/graph/paths.cc}).
 *
 * @param mayAccess whether a GPU may read and write the memory of another, by device numbers
 */
public record PeerFiller(BiPredicate<Integer, Integer> mayAccess) {
  /**
   * Upper limit on device numbers: no host has that many GPUs, but a damaged file may contain any
   * number.
   */
  private static final int MAX_GPUS = 1024;

  public XmlElement fill(XmlElement system) {
    XmlTree tree = XmlTree.of(system);
    List<XmlTreeNode> gpus = tree.all("gpu");
    int last = gpus.stream().mapToInt(gpu -> gpu.number("dev")).max().orElse(0);
    if (last > MAX_GPUS) {
      return system;
    }
    for (XmlTreeNode gpu : gpus) {
      int dev = gpu.number("dev");
      String p2p =
          IntStream.rangeClosed(0, last)
              .mapToObj(peer -> mayAccess.test(dev, peer) ? "1" : "0")
              .collect(Collectors.joining());
      String device = gpu.parent().flatMap(pci -> pci.attribute("device")).orElse("");
      if (p2p.contains("0") || !GpuNode.mayUsePci(gpu.number("sm"), device).orElse(false)) {
        gpu.setIfUnset("p2p", p2p);
      }
    }
    return tree.system().toElement();
  }
}
