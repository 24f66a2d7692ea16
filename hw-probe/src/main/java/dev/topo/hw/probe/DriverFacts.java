package dev.topo.hw.probe;

import dev.topo.hw.library.LibrarySearch;
import dev.topo.hw.nvml.NvmlSnapshot;
import dev.topo.hw.nvml.Observation;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * NVIDIA's driver and CUDA libraries.
 *
 * @param version version of the kernel driver, {@code 580.95.05}; empty if it is not loaded
 * @param flavour {@code open} or {@code proprietary} kernel module; empty if unknown
 * @param cuda newest CUDA version that the driver supports, {@code 13000} for 13.0, or the reason
 *     why it cannot be queried
 * @param libcuda the driver's library as a program would find it
 * @param runtimes CUDA's runtime libraries as a program would find them, {@code libcudart.so.13}
 */
public record DriverFacts(
    String version,
    String flavour,
    Observation<Integer> cuda,
    Optional<String> libcuda,
    List<String> runtimes) {
  /** File written by the kernel module; the open module names itself. */
  private static final String VERSION_FILE = "/proc/driver/nvidia/version";

  private static final Pattern VERSION =
      Pattern.compile("NVRM version:.*?([0-9]{3,}\\.[0-9]+(?:\\.[0-9]+)?)\\s.*");

  /** Runtimes of the CUDA versions that NCCL 2 is built for. */
  private static final List<String> RUNTIMES =
      List.of("libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0");

  public DriverFacts {
    runtimes = List.copyOf(runtimes);
  }

  static DriverFacts read(LibrarySearch search, MachineObservation observation) {
    String line = search.files().text(VERSION_FILE).orElse("").lines().findFirst().orElse("");
    Matcher matcher = VERSION.matcher(line + " ");
    String version = observation.facts().kernel().nvidiaDriver();
    if (version.isEmpty()) {
      // A sandbox may hide the kernel module even though the driver responds.
      version =
          matcher.matches()
              ? matcher.group(1)
              : observation.nvml().value().map(NvmlSnapshot::driverVersion).orElse("");
    }
    String flavour = line.contains("Open Kernel Module") ? "open" : "proprietary";
    return new DriverFacts(
        version,
        line.isEmpty() ? "" : flavour,
        observation.nvml().map(NvmlSnapshot::cudaVersion),
        search.path("libcuda.so.1"),
        RUNTIMES.stream().flatMap(name -> search.path(name).stream()).toList());
  }

  /** Text {@code 13.0} for 13000 ({@code CUDA_VERSION}, {@code cuda.h}). */
  public static String cudaText(int number) {
    return number / 1000 + "." + number % 1000 / 10;
  }
}
