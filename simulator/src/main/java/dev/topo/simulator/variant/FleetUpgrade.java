package dev.topo.simulator.variant;

import dev.topo.inspect.difference.Fleet;
import dev.topo.search.rules.ReleaseRules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The nodes of a fleet under the rules of two releases.
 *
 * @param folder the folder that all files lie in, if the user named one
 * @param from the rules before
 * @param to the rules after
 * @param groups nodes with the same changes: changed ones first, then by size
 * @param unreadable files that cannot be used
 */
public record FleetUpgrade(
    Optional<Path> folder,
    int nFiles,
    ReleaseRules from,
    ReleaseRules to,
    List<Group> groups,
    List<Fleet.Unreadable> unreadable) {
  private static final Comparator<Group> ORDER =
      Comparator.<Group, Boolean>comparing(group -> group.result.isEqual())
          .thenComparing(group -> -group.files.size());

  public FleetUpgrade {
    groups = groups.stream().sorted(ORDER).toList();
    unreadable = List.copyOf(unreadable);
  }

  /**
   * Nodes with the same changes.
   *
   * @param result the changes for the first of them
   */
  public record Group(List<Path> files, UpgradeResult result) {
    public Group {
      files = List.copyOf(files);
    }

    /** Adds nodes to the group with the same changes, or as a new group. */
    static void add(List<Group> groups, List<Path> files, UpgradeResult result) {
      for (int i = 0; i < groups.size(); i++) {
        Group known = groups.get(i);
        if (known.result.points().equals(result.points())
            && known.result.change().equals(result.change())) {
          List<Path> paths = new ArrayList<>(known.files);
          paths.addAll(files);
          groups.set(i, new Group(paths, known.result));
          return;
        }
      }
      groups.add(new Group(files, result));
    }
  }

  /** True if all nodes can be used and are known to be the same under both rules. */
  public boolean isEqual() {
    return nChanged() + nUnknown() == 0 && unreadable.isEmpty();
  }

  /** The groups that change. */
  public List<Group> changed() {
    return groups.stream()
        .filter(group -> !group.result.isEqual() && !group.result.isUnknown())
        .toList();
  }

  /** Number of nodes that change. */
  public int nChanged() {
    return changed().stream().mapToInt(group -> group.files().size()).sum();
  }

  /** Number of nodes whose changes are unknown. */
  public int nUnknown() {
    return groups.stream()
        .filter(group -> group.result.isUnknown())
        .mapToInt(group -> group.files().size())
        .sum();
  }
}
