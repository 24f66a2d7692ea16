package dev.topo.inspect.edit;

import java.util.List;

/**
 * Distribution of a machine's network cards over its slots, representative of all that are equal by
 * symmetry.
 *
 * @param loads cards in each slot, in the order of the file
 * @param moves edits that produce it; empty if the machine already has it
 * @param equalPlacements number of equal placements, itself included
 */
public record NicPlacement(List<Load> loads, List<Edit> moves, long equalPlacements) {
  /**
   * Cards in a slot.
   *
   * @param cpu NUMA id of its CPU
   * @param place switch or CPU, as a selector names it
   * @param nics cards, as {@code nic:} selectors name them
   */
  public record Load(String cpu, String place, List<String> nics) {
    public Load {
      nics = List.copyOf(nics);
    }

    public int cards() {
      return nics.size();
    }
  }

  public NicPlacement {
    loads = List.copyOf(loads);
    moves = List.copyOf(moves);
  }

  /** Number of cards that change slots. */
  public int movedCards() {
    return moves.stream()
        .mapToInt(move -> move instanceof Edit.Move cards ? cards.what().size() : 0)
        .sum();
  }

  /** True if the machine already has this placement. */
  public boolean isPresent() {
    return moves.isEmpty();
  }
}
