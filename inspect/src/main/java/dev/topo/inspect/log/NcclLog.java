package dev.topo.inspect.log;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * NCCL_DEBUG=INFO log of one or several ranks.
 *
 * @param version versions of NCCL and CUDA, as {@code 2.28.9+cuda13.0}, if logged
 * @param settings values of settings that NCCL took from the environment, by name
 * @param origin facts about the run of the log
 * @param ranks logs of the ranks, in the order of first appearance; a rank with several
 *     communicators appears several times
 */
public record NcclLog(
    Optional<String> version, Map<String, String> settings, RunOrigin origin, List<RankLog> ranks) {
  public NcclLog {
    settings = Map.copyOf(settings);
    ranks = List.copyOf(ranks);
  }
}
