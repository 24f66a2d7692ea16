package dev.topo.probe.sysfs;

/**
 * The kernel version and modules that NCCL checks.
 *
 * @param major first number of its release, 0 if not known
 * @param peerMemory whether a module gives network cards access to GPU memory ({@code
 *     nvidia_peermem})
 * @param nvidiaDriver version of NVIDIA's kernel driver, empty if it is not loaded
 */
public record KernelFacts(int major, int minor, boolean peerMemory, String nvidiaDriver) {
  /** First release whose InfiniBand drivers take DMA-BUF file descriptors: 5.12. */
  private static final int DMA_BUF_MAJOR = 5;

  private static final int DMA_BUF_MINOR = 12;

  /** Whether the InfiniBand core of this release supports DMA-BUF. */
  public boolean infinibandDmaBuf() {
    return major > DMA_BUF_MAJOR || (major == DMA_BUF_MAJOR && minor >= DMA_BUF_MINOR);
  }
}
