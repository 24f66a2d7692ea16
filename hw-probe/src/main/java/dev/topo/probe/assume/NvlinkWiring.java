package dev.topo.probe.assume;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** How the GPUs of a machine are wired with NVLink. */
enum NvlinkWiring {
  /** Not at all. */
  NONE,
  /** Each with all its links to the switches, which NCCL takes for one. */
  NVSWITCH,
  /** Bridges between neighbours: 0 and 1, 2 and 3. */
  PAIRS;

  /** How it is written in an assumption. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<NvlinkWiring> ofWord(String word) {
    return Arrays.stream(values()).filter(wiring -> wiring.word().equals(word)).findFirst();
  }

  static String words() {
    return Arrays.stream(values()).map(NvlinkWiring::word).collect(Collectors.joining(", "));
  }
}
