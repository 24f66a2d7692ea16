package dev.topo.search.tuning.csv;

import dev.topo.model.collective.Algorithm;
import dev.topo.model.collective.Collective;
import dev.topo.model.collective.Protocol;
import java.util.Locale;
import java.util.Objects;

/**
 * One line of the file: what a call must be, and what it is to run with ({@code TuningConfig},
 * {@code nccl:ext-tuner/example/plugin.c}, NCCL 2.28.9). Sizes are those of the larger of a rank's
 * two buffers. The plugin gives a call without channels ({@link #ANY}) a single one, unlike its
 * README says; so a rule always states them.
 *
 * @param collective the collective
 * @param minBytes the smallest size
 * @param maxBytes the largest size, which is part of the range
 * @param algorithm the algorithm
 * @param protocol the protocol
 * @param channels the number of channels
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

  /** Checks that the plugin would take it as it is meant. */
  public TunerRule {
    Objects.requireNonNull(collective, "collective");
    Objects.requireNonNull(algorithm, "algorithm");
    Objects.requireNonNull(protocol, "protocol");
    if (minBytes < 0 || maxBytes < minBytes) {
      throw new IllegalArgumentException("no range of sizes: " + minBytes + " to " + maxBytes);
    }
    if (channels < 1) {
      throw new IllegalArgumentException(channels + " channels: expected at least 1");
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

  /** Whether it runs a call with the same as another rule does. */
  boolean runsLike(TunerRule other) {
    return algorithm == other.algorithm && protocol == other.protocol && channels == other.channels;
  }

  TunerRule withSizes(long newMinBytes, long newMaxBytes) {
    return new TunerRule(
        collective,
        newMinBytes,
        newMaxBytes,
        algorithm,
        protocol,
        channels,
        nNodes,
        nRanks,
        numPipeOps,
        regBuff);
  }

  /** The line, with the names that the plugin knows and no end of line. */
  @Override
  public String toString() {
    return String.join(
        ",",
        collective.label().toLowerCase(Locale.ROOT),
        Long.toString(minBytes),
        Long.toString(maxBytes),
        algorithm.name().toLowerCase(Locale.ROOT),
        protocol.name().toLowerCase(Locale.ROOT),
        Integer.toString(channels),
        Integer.toString(nNodes),
        Integer.toString(nRanks),
        Integer.toString(numPipeOps),
        Integer.toString(regBuff));
  }
}
