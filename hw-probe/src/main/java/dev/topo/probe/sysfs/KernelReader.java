package dev.topo.probe.sysfs;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what the kernel has loaded. */
public final class KernelReader {
  /** Any of these means GPUDirect RDMA through a module ({@code ibGdrSupportInitOnce}). */
  private static final List<String> PEER_MEMORY =
      List.of(
          "/sys/kernel/mm/memory_peers/nv_mem/version",
          "/sys/kernel/mm/memory_peers/nv_mem_nc/version",
          "/sys/module/nvidia_peermem/version");

  private static final Pattern RELEASE = Pattern.compile("([0-9]{1,3})\\.([0-9]{1,4}).*");

  private final SysfsRoot root;

  public KernelReader(SysfsRoot root) {
    this.root = root;
  }

  public KernelFacts read() {
    Matcher release = RELEASE.matcher(root.text("/proc/sys/kernel/osrelease").orElse(""));
    boolean known = release.matches();
    return new KernelFacts(
        known ? Integer.parseInt(release.group(1)) : 0,
        known ? Integer.parseInt(release.group(2)) : 0,
        PEER_MEMORY.stream().anyMatch(file -> root.read(file).isPresent()),
        root.text("/sys/module/nvidia/version").orElse(""));
  }
}
