package dev.topo.probe.doctor;

import dev.topo.probe.MachineObservation;
import dev.topo.probe.loader.LibrarySearch;
import dev.topo.probe.nvml.NvmlSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the versions of NVIDIA's driver and of CUDA. */
final class DriverReader {
  /** Written by the kernel module; the open module names itself. */
  private static final String VERSION_FILE = "/proc/driver/nvidia/version";

  private static final Pattern VERSION =
      Pattern.compile("NVRM version:.*?([0-9]{3,}\\.[0-9]+(?:\\.[0-9]+)?)\\s.*");

  /** The runtimes of the CUDA versions in use that NCCL 2 is built for. */
  private static final List<String> RUNTIMES =
      List.of("libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0");

  private final LibrarySearch search;

  DriverReader(LibrarySearch search) {
    this.search = search;
  }

  DriverFacts read(MachineObservation observation) {
    String line = search.files().text(VERSION_FILE).orElse("").lines().findFirst().orElse("");
    Matcher matcher = VERSION.matcher(line + " ");
    String version = observation.facts().kernel().nvidiaDriver();
    if (version.isEmpty()) {
      // A sandbox may hide what the kernel has loaded, while the driver answers.
      version =
          matcher.matches()
              ? matcher.group(1)
              : observation.nvml().value().map(NvmlSnapshot::driverVersion).orElse("");
    }
    String flavour = line.contains("Open Kernel Module") ? "open" : "proprietary";
    List<String> runtimes = new ArrayList<>();
    RUNTIMES.forEach(name -> search.path(name).ifPresent(runtimes::add));
    return new DriverFacts(
        version,
        line.isEmpty() ? "" : flavour,
        observation.nvml().map(NvmlSnapshot::cudaVersion),
        search.path("libcuda.so.1"),
        runtimes);
  }
}
