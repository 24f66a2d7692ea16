package dev.topo.inspect.edit;

import java.util.List;

/**
 * The placements to try, of all that exist.
 *
 * @param placements those with the fewest moved cards first
 * @param different how many there are, equal ones counted once; the least number if they were not
 *     counted
 * @param total how many there are, counting equal ones each; 0 if they were not counted
 * @param isCounted whether all were counted; else there are more than {@code different}
 */
public record PlacementSelection(
    List<NicPlacement> placements, int different, long total, boolean isCounted) {
  public PlacementSelection {
    placements = List.copyOf(placements);
  }

  public boolean isAll() {
    return isCounted && placements.size() == different;
  }
}
