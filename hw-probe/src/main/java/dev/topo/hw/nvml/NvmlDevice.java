package dev.topo.hw.nvml;

import java.util.List;
import java.util.Optional;

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
    List<Nvlink> nvlinks,
    List<C2cLink> c2cLinks) {
  public NvmlDevice {
    nvlinks = List.copyOf(nvlinks);
    c2cLinks = List.copyOf(c2cLinks);
  }

  /**
   * An NVLink of a GPU.
   *
   * @param peerToPeer whether it carries traffic between GPUs
   * @param remote bus id of its other end as NVML writes it; a number that no device has where a
   *     virtual machine hides an NVSwitch
   */
  public record Nvlink(int number, boolean peerToPeer, boolean active, Optional<String> remote) {}

  /** A link of a GPU to a CPU of NVIDIA. */
  public record C2cLink(int number, boolean active, int bwMBps) {}
}
