package dev.topo.inspect.log;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A log of NCCL_DEBUG=INFO, of one rank or of several.
 *
 * @param version NCCL's version and CUDA's, as {@code 2.28.9+cuda13.0}, if the log says it
 * @param settings values of settings that NCCL took from the environment, by name
 * @param origin the run that the log comes from
 * @param ranks what the ranks say, in the order in which they first appear; a rank that has made
 *     several communicators is there several times
 */
public record NcclLog(
    Optional<String> version, Map<String, String> settings, RunOrigin origin, List<RankLog> ranks) {
  public NcclLog {
    settings = Map.copyOf(settings);
    ranks = List.copyOf(ranks);
  }
}
