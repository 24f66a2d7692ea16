package dev.topo.probe.doctor;

import dev.topo.probe.observation.Observation;
import java.util.List;
import java.util.Optional;

/**
 * NVIDIA's driver and the libraries of CUDA.
 *
 * @param version the kernel driver, {@code 580.95.05}; empty if it is not loaded
 * @param flavour {@code open} or {@code proprietary} kernel module; empty if not known
 * @param cuda the newest CUDA that the driver supports, {@code 13000} for 13.0, or why it cannot be
 *     queried
 * @param libcuda the driver's library as a program would find it
 * @param runtimes CUDA's runtime libraries as a program would find them, {@code libcudart.so.13}
 */
public record DriverFacts(
    String version,
    String flavour,
    Observation<Integer> cuda,
    Optional<String> libcuda,
    List<String> runtimes) {
  public DriverFacts {
    runtimes = List.copyOf(runtimes);
  }

  /** {@code 13.0} for 13000 ({@code CUDA_VERSION}, {@code cuda.h}). */
  public static String cudaText(int number) {
    return number / 1000 + "." + number % 1000 / 10;
  }
}
