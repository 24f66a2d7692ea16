package dev.topo.inspect.edit;

import java.util.List;

/**
 * The placements to try, and how many exist.
 *
 * @param placements the placements, fewest moved cards first
 * @param different number of placements without duplicates; a lower bound if they were not counted
 * @param total number of placements including equal ones; 0 if they were not counted
 * @param isCounted whether all were counted; otherwise there are more than {@code different}
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
