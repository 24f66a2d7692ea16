package dev.topo.search.kernel;

import dev.topo.model.operation.Collective;
import dev.topo.search.rules.SymmetricRules;
import dev.topo.search.rules.SymmetricRules.CopyRules;
import java.util.Optional;

/**
 * The time of AllGather by copy engines, and whether they use multicast ({@code
 * ncclCeAllGatherUseMulticast}, {@code nccl:src/ce_coll.cc}; {@code ncclCeAgLatencyUs}, {@code
 * nccl:src/tuning/ce_model.cc}), with a driver before {@link CopyRules#hostLimitBeforeCuda}. Single
 * and double precision alternate as in NCCL.
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

  /** NCCL's estimate; empty where NCCL has none. */
  Optional<CopyEstimate> estimate(SymmetricCall call) {
    if (!rules.estimatesCopies || call.operation() != Collective.ALL_GATHER) {
      return Optional.empty();
    }
    long bytes = call.countBytes(facts.nRanks());
    return Optional.of(
        new CopyEstimate(
            copies(bytes, unicastUs(bytes), false),
            copies(bytes, inPlaceUs(bytes), false),
            copies(bytes, inGraphUs(bytes), true),
            facts.usesMulticast() && isLimitedByDriver()));
  }

  private CopyEstimate.Copies copies(long bytes, float unicastUs, boolean inGraph) {
    float multicastUs = multicastUs(bytes, inGraph);
    boolean multicast =
        facts.usesMulticast()
            && (settings.multicastBytes() >= 0
                ? bytes <= settings.multicastBytes()
                : facts.profile().tuning().isTaken(multicastUs, unicastUs));
    return new CopyEstimate.Copies(multicast, multicast ? multicastUs : unicastUs);
  }

  /** Out of place, a rank also copies its own part, through host memory. */
  private float unicastUs(long bytes) {
    float ownUs = facts.armCpu() ? 0 : transferUs(bytes, copies.hostGBps);
    return Math.max(inPlaceUs(bytes), unicastFloorUs(false) + ownUs);
  }

  private float inPlaceUs(long bytes) {
    return unicastFloorUs(false) + linksUs(bytes);
  }

  private float inGraphUs(long bytes) {
    float floorUs = unicastFloorUs(true);
    return floorUs + linksUs(bytes) + copies.syncs(facts.nRanks(), bytes) * floorUs;
  }

  private float unicastFloorUs(boolean inGraph) {
    return copies.floorUs(false, inGraph, facts.nRanks(), facts.sm());
  }

  private float linksUs(long bytes) {
    return transferUs((double) bytes * (facts.nRanks() - 1), linkGBps());
  }

  private float multicastUs(long bytes, boolean inGraph) {
    float floorUs = copies.floorUs(true, inGraph, facts.nRanks(), facts.sm());
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

  /**
   * Divides and multiplies by the number of ranks like NCCL: single precision changes the result.
   */
  private float multicastGBps() {
    return facts.armCpu() ? linkGBps() : linkGBps() / facts.nRanks() * facts.nRanks();
  }
}
