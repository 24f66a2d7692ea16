package dev.topo.simulator.advice;

import dev.topo.model.job.NcclSettings;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.evaluate.JobResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Finds the setups of a job that are worth a prediction: more channels and thread blocks than NCCL
 * takes by default, and other buffers. Only numbers that were measured are tried, as gains beyond
 * them are unknown.
 */
final class SetupFinder {
  /**
   * Numbers of channels and thread blocks that were measured. By default, NCCL has 16 to 24
   * channels in most nodes with NVSwitch, and its model for symmetric windows takes 7 to 10 blocks.
   */
  private static final List<Integer> CHANNELS = List.of(32);

  /**
   * Numbers of channels of sends and receives that were measured with plain buffers. By default,
   * NCCL has 16 to 32.
   */
  private static final List<Integer> PEER_CHANNELS = List.of(32, 64);

  private final Set<Permission> may;
  private final NcclSettings userSettings;
  private final int channels;
  private final int peerChannels;

  /**
   * Creates a finder for a job.
   *
   * @param may changes that the user allows
   * @param now the job as it is
   */
  SetupFinder(Set<Permission> may, JobResult now) {
    this.may = may;
    this.userSettings = now.request().job().settings();
    this.channels = now.communicator().facts().nChannels();
    this.peerChannels = now.connection().p2pChannels(0).nChannels();
  }

  /** Lists each allowed kind of buffers with each combination of settings. */
  List<Setup> all() {
    List<Setup> setups = new ArrayList<>();
    for (Setup withBuffers : buffers()) {
      List<Integer> peers = withBuffers.buffers() == Buffers.PLAIN ? PEER_CHANNELS : CHANNELS;
      for (Setup channel : variations(withBuffers, Setup.CHANNELS, CHANNELS, channels)) {
        setups.addAll(variations(channel, Setup.PEER_CHANNELS, peers, peerChannels));
      }
    }
    return setups;
  }

  private List<Setup> buffers() {
    return List.of(Buffers.values()).stream()
        .filter(buffers -> buffers == Buffers.PLAIN || may.contains(Permission.CODE))
        .map(Setup::of)
        .toList();
  }

  /**
   * Returns a setup without a setting, and with each of its measured values above the present one.
   * Settings of the user are not changed.
   */
  private List<Setup> variations(Setup setup, String name, List<Integer> measured, int present) {
    List<Setup> found = new ArrayList<>(List.of(setup));
    if (may.contains(Permission.SETTINGS) && userSettings.text(name).isEmpty()) {
      measured.stream()
          .filter(value -> value > present)
          .map(value -> setup.with(name, value))
          .forEach(found::add);
    }
    return found;
  }
}
