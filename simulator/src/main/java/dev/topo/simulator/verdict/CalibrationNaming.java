package dev.topo.simulator.verdict;

import java.util.List;
import java.util.Optional;

/**
 * The name and origin of a new calibration.
 *
 * @param name its name
 * @param origin machine, date and version of its measurements; the names of their files if empty
 * @param isAnonymous whether an origin that is not stated names no files
 */
public record CalibrationNaming(String name, Optional<String> origin, boolean isAnonymous) {
  /**
   * Returns the stated origin or, if there is none, a description of the fit: the number of times,
   * their files, and the calibration at its start.
   */
  String origin(int times, List<String> sources, String start) {
    return origin.orElseGet(
        () ->
            "%s times%s, from %s"
                .formatted(times, isAnonymous ? "" : " of " + String.join(", ", sources), start));
  }
}
