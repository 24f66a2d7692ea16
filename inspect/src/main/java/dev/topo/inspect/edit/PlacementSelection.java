package dev.topo.inspect.edit;

import java.util.List;

/**
 * Placements to try, of all that there are.
 *
 * @param placements those with the fewest moved cards first
 * @param different how many there are, those equal by symmetry once
 * @param ways how many there are, equal ones too; 0 where they are not counted
 * @param isCounted whether they are counted: else there are more than {@code different}
 */
public record PlacementSelection(
    List<NicPlacement> placements, int different, long ways, boolean isCounted) {
  /** Copies the list. */
  public PlacementSelection {
    placements = List.copyOf(placements);
  }

  /** Whether they are all that there are. */
  public boolean isAll() {
    return isCounted && placements.size() == different;
  }
}
