package dev.topo.probe.nvml;

import java.util.List;

/**
 * A GPU as NVIDIA's driver describes it.
 *
 * @param busId its PCI bus id as NVML writes it, {@code 00000000:1B:00.0}
 * @param uuid its name for {@code CUDA_VISIBLE_DEVICES}; empty if not known
 * @param sm compute capability, {@code 90} for 9.0
 * @param gpuDirectRdma whether CUDA lets network cards access its memory
 * @param dmaBuf whether CUDA gives out its memory as DMA-BUF
 * @param mig whether it is split into MIG instances
 * @param nvlinks its NVLinks that exist, by number
 * @param c2cLinks its links to a CPU of NVIDIA, by number
 */
public record NvmlDevice(
    int index,
    String busId,
    String uuid,
    int sm,
    Capability gpuDirectRdma,
    Capability dmaBuf,
    boolean mig,
    List<NvmlLink> nvlinks,
    List<NvmlC2cLink> c2cLinks) {
  public NvmlDevice {
    nvlinks = List.copyOf(nvlinks);
    c2cLinks = List.copyOf(c2cLinks);
  }
}
