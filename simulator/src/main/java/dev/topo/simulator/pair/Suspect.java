package dev.topo.simulator.pair;

import dev.topo.simulator.pair.PairCause.Kind;
import java.util.List;

/**
 * A part that may be slow, and the runs that use it.
 *
 * @param kind kind of part
 * @param names its name, or the hosts of a group
 * @param runs indices of its runs in the matrix, ascending
 * @param price evidence that an accusation needs, in nats: minus the logarithm of the prior
 */
record Suspect(Kind kind, List<String> names, int[] runs, double price) {
  /** Evidence, in nats, that an accusation needs if the part is the only one of its kind. */
  static final double PRICE = 3.4;

  static Suspect of(Kind kind, String name, int[] runs, int nOfKind) {
    return new Suspect(kind, List.of(name), runs, PRICE + Math.log(nOfKind));
  }

  /** Parts are equal if their kinds and names are. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Suspect suspect && kind == suspect.kind && names.equals(suspect.names);
  }

  @Override
  public int hashCode() {
    return 31 * kind.hashCode() + names.hashCode();
  }
}
