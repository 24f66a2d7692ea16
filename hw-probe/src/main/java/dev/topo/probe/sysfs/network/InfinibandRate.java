package dev.topo.probe.sysfs.network;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Speed of a port as NCCL counts it: lanes times a round number per generation, so that FDR is
 * 56000 where the wire carries 54545 ({@code ibvWidths} and {@code ibvSpeeds}, {@code
 * nccl:src/transport/net_ib.cc}).
 */
final class InfinibandRate {
  private static final Pattern RATE =
      Pattern.compile("[0-9.]+ Gb/sec \\(([0-9]{1,2})X ?([A-Z0-9]*)\\)");

  private static final Map<String, Integer> MBPS_PER_LANE =
      Map.of(
          "SDR", 2_500,
          "DDR", 5_000,
          "QDR", 10_000,
          "FDR10", 10_000,
          "FDR", 14_000,
          "EDR", 25_000,
          "HDR", 50_000,
          "NDR", 100_000,
          "XDR", 200_000);

  private InfinibandRate() {}

  /** The speed of a port whose file {@code rate} has this text; 0 if it has another form. */
  static int mbps(String text) {
    Matcher rate = RATE.matcher(text);
    if (!rate.matches()) {
      return 0;
    }
    // The kernel writes no name for single data rate.
    String generation = rate.group(2).isEmpty() ? "SDR" : rate.group(2);
    return Integer.parseInt(rate.group(1)) * MBPS_PER_LANE.getOrDefault(generation, 0);
  }
}
