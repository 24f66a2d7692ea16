package dev.topo.inspect.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Attributes of partners with other values; those with the same two values are one difference. */
final class AttributeDifferences {
  /** Stands for an attribute that is not there. */
  static final String NONE = "none";

  private final Alignment alignment;
  private final boolean withoutExchangedNames;

  /**
   * Looks for attributes.
   *
   * @param withoutExchangedNames whether names that went from port to port are said elsewhere
   */
  AttributeDifferences(Alignment alignment, boolean withoutExchangedNames) {
    this.alignment = alignment;
    this.withoutExchangedNames = withoutExchangedNames;
  }

  private record Change(PartKind kind, String attribute, String before, String after) {}

  List<Difference> list() {
    Map<Change, List<MachinePart>> changes = new LinkedHashMap<>();
    for (MachinePart partA : alignment.a().parts()) {
      Optional<MachinePart> partB = alignment.inB(partA);
      if (partB.isEmpty()) {
        continue;
      }
      Map<String, String> before = partA.attributes();
      Map<String, String> after = partB.get().attributes();
      Set<String> attributes = new LinkedHashSet<>(before.keySet());
      attributes.addAll(after.keySet());
      for (String attribute : attributes) {
        String old = before.getOrDefault(attribute, NONE);
        String now = after.getOrDefault(attribute, NONE);
        boolean exchanged =
            withoutExchangedNames && attribute.equals("name") && isExchanged(alignment, partA);
        if (!Objects.equals(before.get(attribute), after.get(attribute)) && !exchanged) {
          changes
              .computeIfAbsent(
                  new Change(partA.kind(), attribute, old, now), c -> new ArrayList<>())
              .add(partA);
        }
      }
    }
    List<Difference> differences = new ArrayList<>();
    changes.forEach((change, parts) -> differences.add(difference(change, parts)));
    return differences;
  }

  /** Whether both names of a port and its partner are names of ports in both machines. */
  static boolean isExchanged(Alignment alignment, MachinePart partA) {
    Optional<MachinePart> partB = alignment.inB(partA);
    return partA.kind() == PartKind.PORT
        && partB.isPresent()
        && names(alignment.b()).contains(name(partA))
        && names(alignment.a()).contains(name(partB.get()));
  }

  private static String name(MachinePart port) {
    return port.element().attribute("name").orElse(NONE);
  }

  private static Set<String> names(MachineTree tree) {
    return tree.parts(PartKind.PORT).stream()
        .map(AttributeDifferences::name)
        .collect(Collectors.toSet());
  }

  private Difference difference(Change change, List<MachinePart> parts) {
    TreeEdit edit = new TreeEdit();
    List<Difference.Place> places = new ArrayList<>();
    for (MachinePart part : parts) {
      MachinePart partner = alignment.inB(part).orElseThrow();
      edit.set(
          part.element(),
          change.attribute,
          Optional.ofNullable(partner.attributes().get(change.attribute)));
      places.add(PartNames.place(alignment, part));
    }
    return new Difference(
        Difference.Kind.ATTRIBUTE,
        places,
        change.attribute,
        change.before,
        change.after,
        PartNames.list(alignment.a(), parts)
            + ": "
            + change.attribute
            + " "
            + change.before
            + " → "
            + change.after,
        edit);
  }
}
