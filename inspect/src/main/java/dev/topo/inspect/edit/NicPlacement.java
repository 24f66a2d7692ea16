package dev.topo.inspect.edit;

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
public record NicPlacement(List<Load> loads, List<Edit> moves, long equalPlacements) {
  /**
   * What a place holds.
   *
   * @param cpu NUMA id of its CPU
   * @param place the switch or CPU, as a selector has it
   * @param nics the cards, as {@code nic:} selectors name them
   */
  public record Load(String cpu, String place, List<String> nics) {
    /** Copies the list. */
    public Load {
      Objects.requireNonNull(cpu, "cpu");
      Objects.requireNonNull(place, "place");
      nics = List.copyOf(nics);
    }

    /** Number of cards. */
    public int cards() {
      return nics.size();
    }
  }

  /** Copies the lists. */
  public NicPlacement {
    loads = List.copyOf(loads);
    moves = List.copyOf(moves);
  }

  /** Number of cards that are elsewhere now. */
  public int movedCards() {
    return moves.stream()
        .mapToInt(move -> move instanceof Edit.Move cards ? cards.what().size() : 0)
        .sum();
  }

  /** Whether the machine is like that. */
  public boolean isPresent() {
    return moves.isEmpty();
  }
}
