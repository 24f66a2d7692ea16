package dev.topo.simulator.advice;

import dev.topo.model.job.NcclSettings;
import dev.topo.search.kernel.CallPaths.Buffers;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * A change of a job: settings in addition to its own, and the registration of its buffers.
 *
 * @param settings settings in addition to those of the job
 * @param buffers registration of the buffers with NCCL
 */
public record Setup(NcclSettings settings, Buffers buffers) {
  /**
   * Setting that raises the number of channels, and of thread blocks of the kernels for symmetric
   * windows.
   */
  public static final String CHANNELS = "NCCL_MIN_CTAS";

  /** Setting that raises the number of channels of sends and receives. */
  public static final String PEER_CHANNELS = "NCCL_MIN_P2P_NCHANNELS";

  /** Creates a setup without settings. */
  public static Setup of(Buffers buffers) {
    return new Setup(NcclSettings.DEFAULTS, buffers);
  }

  public Setup with(String name, int value) {
    return new Setup(settings.with(NcclSettings.of(Map.of(name, String.valueOf(value)))), buffers);
  }

  /** The differences to a job with plain buffers. */
  Set<Lever> levers() {
    Set<Lever> levers = EnumSet.noneOf(Lever.class);
    if (settings.text(CHANNELS).isPresent()) {
      levers.add(Lever.CHANNELS);
    }
    if (settings.text(PEER_CHANNELS).isPresent()) {
      levers.add(Lever.PEER_CHANNELS);
    }
    if (buffers != Buffers.PLAIN) {
      levers.add(buffers == Buffers.REGISTERED ? Lever.REGISTERED : Lever.SYMMETRIC);
    }
    return levers;
  }
}
