package dev.topo.hw.probe;

import dev.topo.hw.sysfs.FileTree;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Limits of Linux and of a container on resources that NCCL uses.
 *
 * @param kernel release of the kernel; empty if unknown
 * @param sharedMemoryBytes size of {@code /dev/shm}, if it is limited by a number
 * @param lockedMemory maximum amount of memory that a process may lock: {@code unlimited} or a
 *     number of bytes; empty if unknown
 * @param iommu whether an IOMMU is enabled
 * @param iommuOption the option {@code iommu=} of the kernel's command line; empty if there is none
 */
public record HostFacts(
    String kernel,
    OptionalLong sharedMemoryBytes,
    String lockedMemory,
    boolean iommu,
    String iommuOption) {
  private static final Pattern SHM = Pattern.compile(".* /dev/shm .*[ ,]size=([0-9]+)([kmg]?).*");
  private static final Pattern LOCKED =
      Pattern.compile("Max locked memory +(\\S+) .*", Pattern.MULTILINE);

  /** Reads the limits, without privileges. */
  static HostFacts read(FileTree files) {
    Matcher locked = LOCKED.matcher(files.text("/proc/self/limits").orElse(""));
    List<String> options =
        Arrays.asList(files.text("/proc/cmdline").orElse("").strip().split("\\s+", -1));
    return new HostFacts(
        files.text("/proc/sys/kernel/osrelease").orElse("").strip(),
        sharedMemory(files.text("/proc/self/mountinfo").orElse("")),
        locked.find() ? locked.group(1) : "",
        !files.list("/sys/class/iommu").isEmpty(),
        options.stream().filter(option -> option.startsWith("iommu=")).findFirst().orElse(""));
  }

  /**
   * Size of {@code /dev/shm} from the mounts, of which the last one counts. A tmpfs lists its size
   * in KiB.
   */
  private static OptionalLong sharedMemory(String mounts) {
    OptionalLong size = OptionalLong.empty();
    for (String line : mounts.lines().toList()) {
      Matcher matcher = SHM.matcher(line);
      if (matcher.matches()) {
        int shift =
            switch (matcher.group(2)) {
              case "k" -> 10;
              case "m" -> 20;
              case "g" -> 30;
              default -> 0;
            };
        size = OptionalLong.of(Long.parseLong(matcher.group(1)) << shift);
      }
    }
    return size;
  }
}
