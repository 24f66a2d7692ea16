package dev.topo.model.edit;

import java.util.List;
import java.util.Objects;

/**
 * A way to distribute the network cards of a machine over its switches, for all that are equal to
 * it by the symmetry of the machine.
 *
 * @param loads what each place holds, in the order of the file
 * @param moves the edits that lead to it; none if it is how the machine is
 * @param equalPlacements how many placements are equal to it, itself included
 */
public record Placement(List<Load> loads, List<Edit> moves, long equalPlacements) {
  /**
   * What a place holds.
   *
   * @param cpu NUMA id of its CPU
   * @param place the switch or CPU, as a selector has it
   * @param cards number of cards
   */
  public record Load(String cpu, String place, int cards) {
    /** Checks that no part is missing. */
    public Load {
      Objects.requireNonNull(cpu, "cpu");
      Objects.requireNonNull(place, "place");
    }
  }

  /** Copies the lists. */
  public Placement {
    loads = List.copyOf(loads);
    moves = List.copyOf(moves);
  }

  /** Whether the machine is like that. */
  public boolean isPresent() {
    return moves.isEmpty();
  }
}
