package dev.topo.probe.doctor;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The processes whose NCCL library is determined.
 *
 * @param home the user's home directory
 * @param pythons Python interpreters or environments to check; without any and without programs,
 *     the active Python environment and what an unknown program would load
 */
public record DoctorRequest(
    Map<String, String> environment, String home, List<String> programs, List<String> pythons) {
  public DoctorRequest {
    environment = Collections.unmodifiableMap(new TreeMap<>(environment));
    programs = List.copyOf(programs);
    pythons = List.copyOf(pythons);
  }
}
