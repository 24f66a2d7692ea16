package dev.topo.hw.sysfs;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Kernel version and modules that NCCL checks.
 *
 * @param major first number of its release; 0 if unknown
 * @param peerMemory whether a module gives network cards access to GPU memory ({@code
 *     nvidia_peermem})
 * @param nvidiaDriver version of NVIDIA's kernel driver; empty if it is not loaded
 */
public record KernelFacts(int major, int minor, boolean peerMemory, String nvidiaDriver) {
  /** First release whose InfiniBand drivers accept DMA-BUF file descriptors: 5.12. */
  private static final int DMA_BUF_MAJOR = 5;

  private static final int DMA_BUF_MINOR = 12;

  /** Version files of the modules that provide GPUDirect RDMA ({@code ibGdrSupportInitOnce}). */
  private static final List<String> PEER_MEMORY =
      List.of(
          "/sys/kernel/mm/memory_peers/nv_mem/version",
          "/sys/kernel/mm/memory_peers/nv_mem_nc/version",
          "/sys/module/nvidia_peermem/version");

  private static final Pattern RELEASE = Pattern.compile("([0-9]{1,3})\\.([0-9]{1,4}).*");

  static KernelFacts read(SysfsRoot root) {
    Matcher release = RELEASE.matcher(root.text("/proc/sys/kernel/osrelease").orElse(""));
    boolean known = release.matches();
    return new KernelFacts(
        known ? Integer.parseInt(release.group(1)) : 0,
        known ? Integer.parseInt(release.group(2)) : 0,
        PEER_MEMORY.stream().anyMatch(file -> root.read(file).isPresent()),
        root.text("/sys/module/nvidia/version").orElse(""));
  }

  /** True if the InfiniBand core of this release supports DMA-BUF. */
  public boolean infinibandDmaBuf() {
    return major > DMA_BUF_MAJOR || (major == DMA_BUF_MAJOR && minor >= DMA_BUF_MINOR);
  }
}
