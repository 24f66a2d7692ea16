package dev.topo.inspect.edit;

import java.util.List;

/**
 * A distribution of a machine's network cards over its slots, which represents all that are equal
 * to it by symmetry.
 *
 * @param loads the cards in each slot, in the order of the file
 * @param moves the edits that make it; none if the machine has it now
 * @param equalPlacements how many placements are equal to it, itself included
 */
public record NicPlacement(List<Load> loads, List<Edit> moves, long equalPlacements) {
  /**
   * The cards in a slot.
   *
   * @param cpu NUMA id of its CPU
   * @param place the switch or CPU, as a selector has it
   * @param nics the cards, as {@code nic:} selectors name them
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

  /** Number of cards that are in another slot now. */
  public int movedCards() {
    return moves.stream()
        .mapToInt(move -> move instanceof Edit.Move cards ? cards.what().size() : 0)
        .sum();
  }

  /** True if the machine has this placement now. */
  public boolean isPresent() {
    return moves.isEmpty();
  }
}
