package dev.topo.search.tuning;

import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import java.util.List;
import java.util.Locale;

/**
 * A line of the tuner plugin's file: conditions on a call, and the choice for it ({@code
 * TuningConfig}, {@code nccl:ext-tuner/example/plugin.c}). Sizes are those of the larger of a
 * rank's two buffers. The plugin gives a call with {@link #ANY} channels a single one, contrary to
 * its README; with {@link #OWN_CHANNELS} NCCL uses as many as it chooses for the algorithm and
 * protocol at each size ({@code getAlgoInfo}, {@code src/enqueue.cc}).
 *
 * @param minBytes the smallest size
 * @param maxBytes the largest size, which is part of the range
 * @param channels the number of channels, or {@link #OWN_CHANNELS}
 * @param nNodes nodes of the communicator, or {@link #ANY}
 * @param nRanks ranks of the communicator, or {@link #ANY}
 * @param numPipeOps calls of a group that share channels, or {@link #ANY}
 * @param regBuff 1 for buffers that the user has registered, 0 for others, or {@link #ANY}
 */
public record TunerRule(
    Collective collective,
    long minBytes,
    long maxBytes,
    Algorithm algorithm,
    Protocol protocol,
    int channels,
    int nNodes,
    int nRanks,
    int numPipeOps,
    int regBuff) {
  /** Matches every value. */
  public static final int ANY = -1;

  /** As many channels as NCCL chooses for the algorithm and protocol at the size of the call. */
  public static final int OWN_CHANNELS = 0;

  /** Checks that the plugin interprets the rule as intended. */
  public TunerRule {
    if (minBytes < 0 || maxBytes < minBytes) {
      throw new IllegalArgumentException("no range of sizes: " + minBytes + " to " + maxBytes);
    }
    if (channels < OWN_CHANNELS) {
      throw new IllegalArgumentException(channels + " channels: expected at least 1, or 0");
    }
    checkPositiveOrAny("nNodes", nNodes);
    checkPositiveOrAny("nRanks", nRanks);
    checkPositiveOrAny("numPipeOps", numPipeOps);
    if (regBuff < ANY || regBuff > 1) {
      throw new IllegalArgumentException("regBuff " + regBuff + ": expected 0, 1 or -1");
    }
  }

  private static void checkPositiveOrAny(String name, int value) {
    if (value < 1 && value != ANY) {
      throw new IllegalArgumentException(name + " " + value + ": expected at least 1, or -1");
    }
  }

  /** True if another rule continues where this one ends, with the same algorithm and protocol. */
  boolean isContinuedBy(TunerRule next) {
    return algorithm == next.algorithm
        && protocol == next.protocol
        && maxBytes + 1 == next.minBytes;
  }

  /** This rule, extended to the sizes of the next one. */
  TunerRule continuedBy(TunerRule next) {
    return with(next.maxBytes, channels == next.channels ? channels : OWN_CHANNELS);
  }

  /** This rule, extended to all larger sizes. */
  TunerRule withoutEnd() {
    return with(Long.MAX_VALUE, channels);
  }

  private TunerRule with(long newMaxBytes, int newChannels) {
    return new TunerRule(
        collective,
        minBytes,
        newMaxBytes,
        algorithm,
        protocol,
        newChannels,
        nNodes,
        nRanks,
        numPipeOps,
        regBuff);
  }

  /** The line with the plugin's names, without an end of line. */
  @Override
  public String toString() {
    return QuantityFormat.joined(
        ",",
        List.of(
            collective.label().toLowerCase(Locale.ROOT),
            minBytes,
            maxBytes,
            algorithm.name().toLowerCase(Locale.ROOT),
            protocol.name().toLowerCase(Locale.ROOT),
            channels,
            nNodes,
            nRanks,
            numPipeOps,
            regBuff),
        Object::toString);
  }
}
