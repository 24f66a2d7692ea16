package dev.topo.simulator.pair;

import dev.topo.simulator.pair.PairCause.Kind;
import java.util.List;

/**
 * A part that may be slow, and the runs that use it.
 *
 * @param kind what it is
 * @param names its name; the hosts of a group
 * @param runs the indices of its runs in the matrix, ascending
 * @param price how much evidence an accusation needs, in nats: minus the logarithm of the prior
 */
record Suspect(Kind kind, List<String> names, int[] runs, double price) {
  /** The evidence that one part of its kind needs when it is the only one that could be meant. */
  static final double PRICE = 3.4;

  static Suspect of(Kind kind, String name, int[] runs, int nOfKind) {
    return new Suspect(kind, List.of(name), runs, PRICE + Math.log(nOfKind));
  }

  /** Two are the same part where kind and name are the same. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Suspect suspect && kind == suspect.kind && names.equals(suspect.names);
  }

  @Override
  public int hashCode() {
    return 31 * kind.hashCode() + names.hashCode();
  }
}
