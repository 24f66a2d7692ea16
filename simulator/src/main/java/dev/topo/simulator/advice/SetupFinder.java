package dev.topo.simulator.advice;

import dev.topo.model.job.NcclSettings;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.evaluate.JobResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Finds the setups of a job to predict: more channels and blocks than NCCL takes, and other
 * buffers. Numbers are those that were measured, as gains beyond them are unknown.
 */
final class SetupFinder {
  /**
   * The channels and blocks that were measured; NCCL has 16 to 24 channels in most nodes with
   * NVSwitch, and its model takes 7 to 10 blocks. More than these were not measured.
   */
  private static final List<Integer> CHANNELS = List.of(32);

  /**
   * The channels of sends and receives that were measured with plain buffers; NCCL has 16 to 32.
   */
  private static final List<Integer> PEER_CHANNELS = List.of(32, 64);

  private final Set<Permission> may;
  private final NcclSettings own;
  private final int channels;
  private final int peerChannels;

  /**
   * For a job.
   *
   * @param may changes that the user allows
   * @param now the job as it is
   */
  SetupFinder(Set<Permission> may, JobResult now) {
    this.may = may;
    this.own = now.request().job().settings();
    this.channels = now.communicator().facts().nChannels();
    this.peerChannels = now.connection().p2pChannels(0).nChannels();
  }

  /** The kinds of buffers with each combination of settings. */
  List<Setup> all() {
    List<Setup> setups = new ArrayList<>();
    for (Setup plain : buffers()) {
      List<Integer> peers = plain.buffers() == Buffers.PLAIN ? PEER_CHANNELS : CHANNELS;
      for (Setup channel : withNone(plain, Setup.CHANNELS, CHANNELS, channels)) {
        setups.addAll(withNone(channel, Setup.PEER_CHANNELS, peers, peerChannels));
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

  /** Settings of the user are not changed. */
  private List<Setup> withNone(Setup setup, String name, List<Integer> measured, int moreThan) {
    List<Setup> found = new ArrayList<>(List.of(setup));
    if (may.contains(Permission.SETTINGS) && own.text(name).isEmpty()) {
      measured.stream()
          .filter(value -> value > moreThan)
          .map(value -> setup.with(name, value))
          .forEach(found::add);
    }
    return found;
  }
}
