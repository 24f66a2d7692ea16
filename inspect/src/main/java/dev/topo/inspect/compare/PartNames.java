package dev.topo.inspect.compare;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What to call parts in sentences. */
final class PartNames {
  private PartNames() {}

  /** {@code GPU 3}, {@code NIC mlx5_0}, {@code pci 0000:18:00.0}, {@code cpu 1}. */
  static String of(MachineTree tree, MachinePart part) {
    return (part.kind().noun() + " " + tree.id(part)).strip();
  }

  /** Parts of one kind, by number where they have numbers: {@code GPU 0, 1, 2}. */
  static String list(MachineTree tree, List<MachinePart> parts) {
    List<String> ids = parts.stream().map(tree::id).distinct().collect(Collectors.toList());
    if (ids.stream().allMatch(id -> id.matches("[0-9]{1,9}"))) {
      ids.sort(Comparator.comparingInt(Integer::parseInt));
    }
    return (parts.get(0).kind().noun() + " " + String.join(", ", ids)).strip();
  }

  /** The place of a part of the first machine and of its partner. */
  static Difference.Place place(Alignment alignment, MachinePart partA) {
    return new Difference.Place(
        of(alignment.a(), partA),
        Optional.of(partA.element().location()),
        alignment.inB(partA).map(partB -> partB.element().location()));
  }
}
