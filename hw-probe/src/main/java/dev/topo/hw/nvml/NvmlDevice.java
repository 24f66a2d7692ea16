package dev.topo.hw.nvml;

import java.util.List;
import java.util.Optional;

/**
 * GPU as described by NVIDIA's driver.
 *
 * @param busId its PCI bus id as NVML writes it, {@code 00000000:1B:00.0}
 * @param uuid its name for {@code CUDA_VISIBLE_DEVICES}; empty if unknown
 * @param sm compute capability, {@code 90} for 9.0
 * @param gpuDirectRdma whether CUDA lets network cards access its memory
 * @param dmaBuf whether CUDA exports its memory as DMA-BUF
 * @param mig whether it is split into MIG instances
 * @param nvlinks its existing NVLinks, by number
 * @param c2cLinks its links to an NVIDIA CPU, by number
 */
public record NvmlDevice(
    int index,
    String busId,
    String uuid,
    int sm,
    Capability gpuDirectRdma,
    Capability dmaBuf,
    boolean mig,
    List<Nvlink> nvlinks,
    List<C2cLink> c2cLinks) {
  public NvmlDevice {
    nvlinks = List.copyOf(nvlinks);
    c2cLinks = List.copyOf(c2cLinks);
  }

  /**
   * NVLink of a GPU.
   *
   * @param peerToPeer whether it carries traffic between GPUs
   * @param remote bus id of its other end as NVML writes it; a number without a device if a virtual
   *     machine hides an NVSwitch
   */
  public record Nvlink(int number, boolean peerToPeer, boolean active, Optional<String> remote) {}

  /**
   * Link of a GPU to an NVIDIA CPU.
   *
   * @param bwMBps bandwidth in MB/s
   */
  public record C2cLink(int number, boolean active, int bwMBps) {}
}
