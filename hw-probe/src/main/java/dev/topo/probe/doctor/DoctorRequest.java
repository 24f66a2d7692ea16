package dev.topo.probe.doctor;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whose NCCL to look for.
 *
 * @param home the user's home, as the system knows it
 * @param pythons Python interpreters or environments to look at; without any and without programs,
 *     what any program would get, and the Python environment that is active
 */
public record DoctorRequest(
    Map<String, String> environment, String home, List<String> programs, List<String> pythons) {
  public DoctorRequest {
    environment = Collections.unmodifiableMap(new TreeMap<>(environment));
    programs = List.copyOf(programs);
    pythons = List.copyOf(pythons);
  }
}
