package dev.topo.inspect.compare;

import dev.topo.model.Link;
import dev.topo.model.LinkType;
import dev.topo.model.Topology;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.node.CpuArch;
import dev.topo.model.node.CpuModel;
import dev.topo.model.node.CpuNode;
import dev.topo.model.node.CpuVendor;
import dev.topo.model.node.GpuNode;
import dev.topo.model.node.NetNode;
import dev.topo.model.node.NicNode;
import dev.topo.model.node.Node;
import dev.topo.model.node.NodeType;
import dev.topo.model.node.PciNode;
import dev.topo.model.xml.XmlElement;
import dev.topo.model.xml.XmlNode;
import dev.topo.search.rules.NcclProfile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A machine that was made by hand as a file would have it. */
final class MachineXml {
  private final Topology topology;

  private MachineXml(Topology topology) {
    this.topology = topology;
  }

  static XmlElement of(Topology topology) {
    MachineXml xml = new MachineXml(topology);
    List<XmlNode> cpus = new ArrayList<>();
    for (int cpu : topology.indexes(NodeType.CPU)) {
      cpus.add(xml.cpu(cpu));
    }
    return element("system", Map.of("version", "1"), cpus);
  }

  static XmlElement element(String name, Map<String, String> attributes, List<XmlNode> children) {
    return new XmlElement(name, attributes, children, new SourceLocation("random.xml", 1, 1));
  }

  private XmlElement cpu(int index) {
    CpuNode cpu = (CpuNode) topology.node(index);
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("host_hash", "0x1");
    attributes.put("numaid", String.valueOf(cpu.numaId()));
    attributes.put("arch", cpu.arch() == CpuArch.ARM ? "arm64" : "x86_64");
    if (cpu.arch() == CpuArch.X86) {
      boolean intel = cpu.vendor() == CpuVendor.INTEL;
      attributes.put("vendor", intel ? "GenuineIntel" : "AuthenticAMD");
      attributes.put("familyid", intel ? "6" : "175");
      attributes.put("modelid", cpu.model() == CpuModel.INTEL_SKYLAKE ? "85" : "1");
    }
    return element("cpu", attributes, below(index));
  }

  private List<XmlNode> below(int index) {
    List<XmlNode> children = new ArrayList<>();
    for (Link link : topology.links(index)) {
      Node node = topology.node(link.to());
      boolean isParent = node instanceof CpuNode || isUp(index, link.to());
      if (link.type() == LinkType.PCI && !isParent) {
        children.add(pci(link.to(), node, link.bwGBps()));
      }
    }
    return children;
  }

  /** Whether a PCI link leads from a switch to the one above it: nearer to a CPU. */
  private boolean isUp(int from, int to) {
    return depth(to) < depth(from);
  }

  private int depth(int node) {
    List<Integer> level = List.of(topology.indexes(NodeType.CPU)[0]);
    boolean[] seen = new boolean[topology.nodes().size()];
    List<Integer> cpus = new ArrayList<>();
    for (int cpu : topology.indexes(NodeType.CPU)) {
      cpus.add(cpu);
      seen[cpu] = true;
    }
    level = cpus;
    for (int depth = 0; !level.isEmpty(); depth++) {
      if (level.contains(node)) {
        return depth;
      }
      List<Integer> next = new ArrayList<>();
      for (int at : level) {
        for (Link link : topology.links(at)) {
          if (link.type() == LinkType.PCI && !seen[link.to()]) {
            seen[link.to()] = true;
            next.add(link.to());
          }
        }
      }
      level = next;
    }
    throw new IllegalStateException("node " + node + " hangs off no CPU");
  }

  private static String busId(int index) {
    return String.format(Locale.ROOT, "0000:%02x:00.0", index + 1);
  }

  private XmlElement pci(int index, Node node, float bwGBps) {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("busid", busId(index));
    attributes.put(
        "class",
        node instanceof PciNode ? "0x060400" : node instanceof GpuNode ? "0x030200" : "0x020000");
    attributes.put("link_speed", "2.5 GT/s");
    attributes.put(
        "link_width",
        String.valueOf(Math.round(bwGBps / NcclProfile.DEFAULT.links().pci("2.5 GT/s", 1))));
    List<XmlNode> children = new ArrayList<>();
    if (node instanceof GpuNode gpu) {
      children.add(gpu(index, gpu));
    } else if (node instanceof NicNode) {
      children.add(element("nic", Map.of(), ports(index)));
    } else {
      children.addAll(below(index));
    }
    return element("pci", attributes, children);
  }

  private XmlElement gpu(int index, GpuNode gpu) {
    List<XmlNode> nvlinks = new ArrayList<>();
    for (Link link : topology.links(index)) {
      if (link.type() == LinkType.NVL) {
        int count = Math.round(link.bwGBps() / NcclProfile.DEFAULT.links().nvlink(gpu.sm()));
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("target", busId(link.to()));
        attributes.put("count", String.valueOf(count));
        attributes.put("tclass", "0x030200");
        nvlinks.add(element("nvlink", attributes, List.of()));
      }
    }
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("dev", String.valueOf(gpu.dev()));
    attributes.put("sm", String.valueOf(gpu.sm()));
    attributes.put("rank", String.valueOf(gpu.rank()));
    attributes.put("gdr", "1");
    return element("gpu", attributes, nvlinks);
  }

  private List<XmlNode> ports(int nic) {
    List<XmlNode> ports = new ArrayList<>();
    for (Link link : topology.links(nic)) {
      if (link.type() == LinkType.NET && topology.node(link.to()) instanceof NetNode net) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("name", "mlx5_" + net.dev());
        attributes.put("dev", String.valueOf(net.dev()));
        attributes.put("speed", String.valueOf(Math.round(net.bwGBps() * 8000)));
        attributes.put("port", "1");
        attributes.put("guid", "0x" + (net.dev() + 1));
        attributes.put("gdr", "1");
        ports.add(element("net", attributes, List.of()));
      }
    }
    return ports;
  }
}
