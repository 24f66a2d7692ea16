package dev.topo.hw.probe;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The processes for which the doctor determines the NCCL library.
 *
 * @param home the user's home directory
 * @param pythons Python interpreters or environments to check; if there are none and no programs,
 *     the active Python environment and an unknown program are checked
 * @param nccl NCCL release whose settings and plugins are known, {@code 2.28.9}
 */
public record DoctorRequest(
    Map<String, String> environment,
    String home,
    List<String> programs,
    List<String> pythons,
    String nccl) {
  public DoctorRequest {
    environment = Collections.unmodifiableMap(new TreeMap<>(environment));
    programs = List.copyOf(programs);
    pythons = List.copyOf(pythons);
  }
}
