package dev.topo.search.kernel;

import dev.topo.model.operation.Collective;
import dev.topo.search.rules.CopyRules;
import dev.topo.search.rules.SymmetricRules;
import java.util.Optional;

/**
 * The time of AllGather by copy engines, and whether they use multicast ({@code
 * ncclCeAllGatherUseMulticast}, {@code nccl:src/ce_coll.cc}; {@code ncclCeAgLatencyUs}, {@code
 * nccl:src/tuning/ce_model.cc}): out of place, without a CUDA graph, with a driver before {@link
 * CopyRules#hostLimitBeforeCuda}. Single and double precision alternate as in NCCL.
 */
final class CopyModel {
  private static final double BYTES_PER_US = 1e3;

  private final SymmetricFacts facts;
  private final WindowSettings settings;
  private final SymmetricRules rules;
  private final CopyRules copies;

  CopyModel(SymmetricFacts facts, WindowSettings settings) {
    this.facts = facts;
    this.settings = settings;
    this.rules = facts.profile().symmetric();
    this.copies = rules.copies;
  }

  /** NCCL's estimate; empty where it makes none. */
  Optional<CopyEstimate> estimate(SymmetricCall call) {
    if (!rules.estimatesCopies || call.operation() != Collective.ALL_GATHER) {
      return Optional.empty();
    }
    long bytes = call.countBytes(facts.nRanks());
    boolean isPossible = facts.usesMulticast();
    boolean isLimited = isPossible && isLimitedByDriver();
    float unicastUs = unicastUs(bytes);
    float multicastUs = multicastUs(bytes);
    boolean multicast =
        isPossible
            && (settings.multicastBytes() >= 0
                ? bytes <= settings.multicastBytes()
                : facts.profile().tuning().isTaken(multicastUs, unicastUs));
    return Optional.of(new CopyEstimate(multicast, multicast ? multicastUs : unicastUs, isLimited));
  }

  private float unicastUs(long bytes) {
    float floorUs = copies.floorUs(false, facts.nRanks(), facts.sm());
    float linksUs = transferUs((double) bytes * (facts.nRanks() - 1), linkGBps());
    float ownUs = facts.armCpu() ? 0 : transferUs(bytes, copies.hostGBps);
    return Math.max(floorUs + linksUs, floorUs + ownUs);
  }

  private float multicastUs(long bytes) {
    float floorUs = copies.floorUs(true, facts.nRanks(), facts.sm());
    float bandwidth = isLimitedByDriver() ? copies.hostGBps * facts.nRanks() : multicastGBps();
    return floorUs + transferUs((double) bytes * facts.nRanks(), bandwidth);
  }

  private static float transferUs(double bytes, float gBps) {
    return (float) (bytes / gBps / BYTES_PER_US);
  }

  private float linkGBps() {
    return copies.linkGBps(facts.sm());
  }

  private boolean isLimitedByDriver() {
    return !facts.armCpu() && copies.hostGBps < linkGBps() / facts.nRanks();
  }

  /** The share of each rank times the ranks: not quite the whole, with single precision. */
  private float multicastGBps() {
    return facts.armCpu() ? linkGBps() : linkGBps() / facts.nRanks() * facts.nRanks();
  }
}
