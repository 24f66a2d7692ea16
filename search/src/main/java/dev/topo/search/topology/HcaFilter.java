package dev.topo.search.topology;

import dev.topo.model.NicMerging;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Topology;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.nic.NameFilter;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlTreeNode;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Filters the ports of a topology file by NCCL_IB_HCA and numbers the remaining ones as NCCL's
 * network for InfiniBand and RoCE does ({@code ncclIbInitDevices}, {@code
 * nccl:src/transport/net_ib.cc}; equal in 2.19.3 and 2.28.9). Ports of other networks are kept.
 */
final class HcaFilter {
  /** Maximum number of devices, and so of entries of the list ({@code MAX_IB_DEVS}). */
  private static final int MAX_DEVICES = 32;

  /** Name suffix of a device that is listed for its direct link to the GPU, from 2.28 on. */
  private static final Pattern DIRECT = Pattern.compile("_dma$");

  private final NameFilter filter;
  private final Set<String> devices;

  private HcaFilter(String list, Topology machine) {
    this.filter = NameFilter.parse(list, MAX_DEVICES);
    this.devices =
        machine.nets().stream()
            .filter(NetNode::isVerbsDevice)
            .map(NetNode::name)
            .collect(Collectors.toSet());
  }

  /**
   * The file with the remaining ports; empty if none is removed.
   *
   * @param machine the topology of the file
   * @throws UnusableTopologyException if the list selects only some ports of a merged device
   */
  static Optional<XmlElement> apply(XmlElement system, String list, Topology machine) {
    HcaFilter filter = new HcaFilter(list, machine);
    return NvlinkDomain.changed(system, filter::apply);
  }

  private boolean apply(XmlTreeNode host) {
    List<XmlTreeNode> nets = host.all("net");
    List<XmlTreeNode> remaining = nets.stream().filter(this::isUsed).toList();
    if (remaining.size() == nets.size()) {
      return false;
    }
    nets.stream().filter(net -> !remaining.contains(net)).forEach(XmlTreeNode::detach);
    List<XmlTreeNode> inOrder =
        remaining.stream().sorted(Comparator.comparingInt(net -> net.number("dev"))).toList();
    for (int dev = 0; dev < inOrder.size(); dev++) {
      inOrder.get(dev).set("dev", dev);
    }
    return true;
  }

  private boolean isUsed(XmlTreeNode net) {
    String name = net.value("name");
    if (!devices.contains(name)) {
      return true;
    }
    int port = net.attribute("port").isPresent() ? net.number("port") : NameFilter.ANY_PORT;
    List<String> parts = Arrays.asList(name.split(Pattern.quote(NicMerging.JOINT)));
    int portOfParts = parts.size() == 1 ? port : NameFilter.ANY_PORT;
    long used =
        parts.stream()
            .filter(part -> filter.allows(DIRECT.matcher(part).replaceFirst(""), portOfParts))
            .count();
    if (used > 0 && used < parts.size()) {
      throw UnusableTopologyException.withoutRules(
          "NCCL_IB_HCA selects some of the merged ports %s, which is not modelled: expected a file with separate ports"
              .formatted(name));
    }
    return used > 0;
  }
}
