package dev.topo.probe.doctor;

import dev.topo.probe.files.FileTree;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@link HostFacts}, all of it without privileges. */
final class HostReader {
  private static final Pattern SHM = Pattern.compile(".* /dev/shm .*[ ,]size=([0-9]+)([kmg]?).*");
  private static final Pattern LOCKED =
      Pattern.compile("Max locked memory +(\\S+) .*", Pattern.MULTILINE);

  private final FileTree files;

  HostReader(FileTree files) {
    this.files = files;
  }

  HostFacts read() {
    Matcher locked = LOCKED.matcher(files.text("/proc/self/limits").orElse(""));
    List<String> options =
        Arrays.asList(files.text("/proc/cmdline").orElse("").strip().split("\\s+", -1));
    return new HostFacts(
        files.text("/proc/sys/kernel/osrelease").orElse("").strip(),
        sharedMemory(),
        locked.find() ? locked.group(1) : "",
        !files.list("/sys/class/iommu").isEmpty(),
        options.stream().filter(option -> option.startsWith("iommu=")).findFirst().orElse(""));
  }

  /** The last mount counts; a tmpfs writes its size in KiB. */
  private OptionalLong sharedMemory() {
    OptionalLong size = OptionalLong.empty();
    for (String line : files.text("/proc/self/mountinfo").orElse("").lines().toList()) {
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
