package dev.topo.hw.probe;

import dev.topo.hw.nvml.NvmlDevice;
import dev.topo.hw.sysfs.MachineFacts;
import dev.topo.hw.sysfs.PciDevice;
import dev.topo.model.ComputeCapability;
import dev.topo.model.Last;
import dev.topo.model.xml.PciClass;
import dev.topo.model.xml.XmlTree;
import dev.topo.model.xml.XmlTreeNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Adds the GPU of a rank to a tree ({@code nccl:src/graph/xml.cc#ncclTopoFillGpu}). */
record GpuFiller(XmlTree tree, PciPlacer placer, MachineFacts facts) {
  void fill(NvmlDevice device, int rank) {
    String busId = BusIds.normal(device.busId());
    XmlTreeNode pci = placer.place(busId, PciClass.GPU);
    XmlTreeNode gpu = tree.childOrNew(pci, "gpu");
    gpu.setIfUnset("dev", device.index());
    gpu.setIfUnset("sm", device.sm());
    int sm = gpu.number("sm");
    if (gpu.child("nvlink").isEmpty()) {
      nvlinks(gpu, device, sm);
    }
    if (gpu.child("c2c").isEmpty() && sm >= ComputeCapability.HOPPER) {
      c2c(gpu, device.c2cLinks());
    }
    targetClasses(gpu);
    gpu.set("keep", "1");
    gpu.set("rank", rank);
    gpu.setIfUnset("gdr", device.gpuDirectRdma().orElse(guessGdr(busId)) ? "1" : "0");
  }

  private void nvlinks(XmlTreeNode gpu, NvmlDevice device, int sm) {
    int max = ComputeCapability.maxNvlinks(sm);
    for (NvmlDevice.Nvlink link : device.nvlinks()) {
      if (link.number() >= max || !link.peerToPeer() || !link.active()) {
        continue;
      }
      link.remote()
          .map(remote -> remote.toLowerCase(Locale.ROOT))
          .ifPresent(
              target -> {
                Optional<XmlTreeNode> known = gpu.child("nvlink", "target", target);
                XmlTreeNode nvlink = known.orElseGet(() -> tree.add(gpu, "nvlink"));
                nvlink.set("target", target);
                nvlink.set("count", nvlink.number("count") + 1);
              });
    }
  }

  private void c2c(XmlTreeNode gpu, List<NvmlDevice.C2cLink> links) {
    List<NvmlDevice.C2cLink> up = links.stream().filter(NvmlDevice.C2cLink::active).toList();
    if (!up.isEmpty()) {
      XmlTreeNode c2c = tree.add(gpu, "c2c");
      c2c.set("bw", Last.of(up).bwMBps());
      c2c.set("count", up.size());
    }
  }

  private void targetClasses(XmlTreeNode gpu) {
    for (XmlTreeNode link : gpu.children()) {
      if (link.is("nvlink") && link.attribute("tclass").isEmpty()) {
        Optional<PciDevice> target = facts.pciDevice(link.value("target"));
        String tclass = target.map(PciDevice::pciClass).orElse(PciClass.NVSWITCH.code());
        if (!tclass.isEmpty()) {
          link.set("tclass", tclass);
        }
      }
    }
  }

  /** Assumes GPUDirect RDMA support for compute cards, but not for cards with a display. */
  private boolean guessGdr(String busId) {
    return facts.pciDevice(busId).filter(pci -> pci.pciClass().startsWith("0x0302")).isPresent();
  }
}
