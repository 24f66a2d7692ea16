package dev.topo.model.compare;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What to call parts in sentences. */
final class Names {
  private Names() {}

  /** {@code GPU 3}, {@code NIC mlx5_0}, {@code pci 0000:18:00.0}, {@code cpu 1}. */
  static String of(MachineTree tree, Part part) {
    return (part.kind().noun() + " " + tree.id(part)).strip();
  }

  /** Parts of one kind: {@code GPU 0, 1, 2}. */
  static String list(MachineTree tree, List<Part> parts) {
    return (parts.get(0).kind().noun()
            + " "
            + parts.stream().map(tree::id).distinct().collect(Collectors.joining(", ")))
        .strip();
  }

  /** The place of a part of the first machine and of its partner. */
  static Difference.Place place(Alignment alignment, Part partA) {
    return new Difference.Place(
        of(alignment.a(), partA),
        Optional.of(partA.element().location()),
        alignment.inB(partA).map(partB -> partB.element().location()));
  }
}
