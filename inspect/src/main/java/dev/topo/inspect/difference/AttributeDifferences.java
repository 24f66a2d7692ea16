package dev.topo.inspect.difference;

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
 * Finds attributes whose values differ between partners; equal changes form one difference.
 *
 * @param withoutExchangedNames whether names exchanged between ports are left out, as they may be
 *     reported with the numbers
 */
record AttributeDifferences(Alignment alignment, boolean withoutExchangedNames) {
  /** Stands for a missing attribute. */
  static final String NONE = "none";

  private record Change(PartKind kind, String attribute, String before, String after) {}

  List<Difference> list() {
    Map<Change, List<MachinePart>> changes = new LinkedHashMap<>();
    for (MachinePart partA : alignment.pairedInA()) {
      Map<String, String> before = partA.attributes();
      Map<String, String> after = alignment.inB(partA).orElseThrow().attributes();
      Set<String> attributes = new LinkedHashSet<>(before.keySet());
      attributes.addAll(after.keySet());
      for (String attribute : attributes) {
        boolean exchanged =
            withoutExchangedNames && attribute.equals("name") && isExchanged(alignment, partA);
        if (!Objects.equals(before.get(attribute), after.get(attribute)) && !exchanged) {
          String oldValue = before.getOrDefault(attribute, NONE);
          String newValue = after.getOrDefault(attribute, NONE);
          Change change = new Change(partA.kind(), attribute, oldValue, newValue);
          changes.computeIfAbsent(change, c -> new ArrayList<>()).add(partA);
        }
      }
    }
    List<Difference> differences = new ArrayList<>();
    changes.forEach((change, parts) -> differences.add(difference(change, parts)));
    return differences;
  }

  /** True if the names of a port and its partner both occur in both machines. */
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
    String attribute = change.attribute;
    TreeEdit edit = new TreeEdit();
    for (MachinePart part : parts) {
      MachinePart partner = alignment.inB(part).orElseThrow();
      Optional<String> value = Optional.ofNullable(partner.attributes().get(attribute));
      edit.set(part.element(), attribute, value);
    }
    String values = change.before + " → " + change.after;
    return new Difference(
        Difference.Kind.ATTRIBUTE,
        alignment.places(parts),
        attribute,
        change.before,
        change.after,
        alignment.a().names(parts) + ": " + attribute + " " + values,
        edit);
  }
}
