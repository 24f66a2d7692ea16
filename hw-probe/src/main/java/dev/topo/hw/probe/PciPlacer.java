package dev.topo.hw.probe;

import dev.topo.hw.sysfs.CpuFacts;
import dev.topo.hw.sysfs.MachineFacts;
import dev.topo.hw.sysfs.PciDevice;
import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.xml.PciClass;
import dev.topo.model.xml.XmlTree;
import dev.topo.model.xml.XmlTreeNode;
import java.util.Optional;

/**
 * Adds PCI devices to a tree, with the bridges above them and their CPU ({@code
 * nccl:src/graph/xml.cc#ncclTopoGetXmlFromSys}, {@code #ncclTopoGetXmlFromCpu}).
 */
record PciPlacer(XmlTree tree, MachineFacts facts) {
  /** NUMA node of devices without one. */
  private static final String NO_NUMA_NODE = "-1";

  /** Element of a device, complete and in its place. */
  XmlTreeNode place(String busId, PciClass classIfUnknown) {
    XmlTreeNode pci = tree.pci(busId);
    pci.setIfUnset("class", classIfUnknown.code());
    complete(pci);
    return pci;
  }

  private void complete(XmlTreeNode pci) {
    Optional<PciDevice> device = facts.pciDevice(pci.value("busid"));
    describe(pci, device);
    if (pci.parent().isEmpty()) {
      attach(pci, device);
    }
    XmlTreeNode parent = pci.parent().orElseThrow();
    if (parent.is("pci")) {
      complete(parent);
    } else if (parent.is("cpu")) {
      completeCpu(parent);
    }
  }

  private void describe(XmlTreeNode pci, Optional<PciDevice> found) {
    if (found.isEmpty()) {
      pci.setIfUnset("link_speed", "");
      pci.setIfUnset("link_width", "");
      return;
    }
    PciDevice device = found.get();
    if (!device.pciClass().isEmpty()) {
      pci.set("class", device.pciClass());
    }
    setIfKnown(pci, "vendor", device.vendor());
    setIfKnown(pci, "device", device.device());
    setIfKnown(pci, "subsystem_vendor", device.subsystemVendor());
    setIfKnown(pci, "subsystem_device", device.subsystemDevice());
    pci.setIfUnset("link_speed", device.linkSpeed());
    pci.setIfUnset("link_width", device.linkWidth());
    for (String target : device.peerSwitches()) {
      if (pci.child("pcilink", "target", target).isEmpty()) {
        tree.add(pci, "pcilink").set("target", target);
      }
    }
  }

  private static void setIfKnown(XmlTreeNode node, String attribute, String value) {
    if (!value.isEmpty()) {
      node.setIfUnset(attribute, value);
    }
  }

  private void attach(XmlTreeNode pci, Optional<PciDevice> device) {
    XmlTreeNode parent =
        device
            .flatMap(PciDevice::upstream)
            .map(tree::pci)
            .orElseGet(() -> cpu(device.map(PciDevice::numaNode).orElse(NO_NUMA_NODE)));
    tree.attach(parent, pci);
  }

  /** Element of a NUMA node, created if it is missing. */
  XmlTreeNode cpu(String numaNode) {
    Optional<XmlTreeNode> known = tree.system().child("cpu", "numaid", numaNode);
    if (known.isPresent()) {
      return known.get();
    }
    XmlTreeNode cpu = tree.add(tree.system(), "cpu");
    cpu.set("numaid", numaNode);
    completeCpu(cpu);
    return cpu;
  }

  private void completeCpu(XmlTreeNode cpu) {
    CpuFacts cpus = facts.cpus();
    String affinity = cpus.cpumaps().getOrDefault(cpu.value("numaid"), "");
    setIfKnown(cpu, "affinity", affinity);
    if (cpus.arch() != CpuArch.UNKNOWN) {
      cpu.setIfUnset("arch", cpus.arch().xmlName());
    }
    cpus.identity()
        .ifPresent(
            identity -> {
              cpu.setIfUnset("vendor", identity.vendor());
              if (cpu.attribute("familyid").isEmpty()) {
                cpu.set("familyid", identity.familyId());
                cpu.set("modelid", identity.modelId());
              }
            });
  }
}
