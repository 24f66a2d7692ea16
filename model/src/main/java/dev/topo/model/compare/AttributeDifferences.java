package dev.topo.model.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Attributes of partners with other values; those that differ in the same way are one difference.
 */
final class AttributeDifferences {
  /** Stands for an attribute that is not there. */
  static final String NONE = "none";

  private final Alignment alignment;

  AttributeDifferences(Alignment alignment) {
    this.alignment = alignment;
  }

  private record Change(PartKind kind, String attribute, String before, String after) {}

  List<Difference> list() {
    Map<Change, List<Part>> changes = new LinkedHashMap<>();
    Set<String> namesOfA = names(alignment.a());
    Set<String> namesOfB = names(alignment.b());
    for (Part partA : alignment.a().parts()) {
      Optional<Part> partB = alignment.inB(partA);
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
        // Names that went to other ports are the business of the numbering.
        boolean exchanged =
            partA.kind() == PartKind.PORT
                && attribute.equals("name")
                && namesOfB.contains(old)
                && namesOfA.contains(now);
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

  private static Set<String> names(MachineTree tree) {
    return tree.parts(PartKind.PORT).stream()
        .map(port -> port.element().attribute("name").orElse(NONE))
        .collect(Collectors.toSet());
  }

  private Difference difference(Change change, List<Part> parts) {
    TreeEdit edit = new TreeEdit();
    List<Difference.Place> places = new ArrayList<>();
    for (Part part : parts) {
      Part partner = alignment.inB(part).orElseThrow();
      edit.set(
          part.element(),
          change.attribute,
          Optional.ofNullable(partner.attributes().get(change.attribute)));
      places.add(Names.place(alignment, part));
    }
    return new Difference(
        Difference.Kind.ATTRIBUTE,
        places,
        change.attribute,
        change.before,
        change.after,
        Names.list(alignment.a(), parts)
            + ": "
            + change.attribute
            + " "
            + change.before
            + " → "
            + change.after,
        edit);
  }
}
