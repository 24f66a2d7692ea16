package dev.topo.inspect.difference;

import dev.topo.inspect.difference.MachineTree.Link;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds NVLinks of partners, and links between PCI switches, that have the same target but
 * different counts. Both ends of a link form one difference; links of missing or added devices
 * belong to those.
 */
final class LinkDifferences {
  private final Alignment alignment;
  private final MachineTree a;
  private final MachineTree b;
  private final BranchCopier transplant;

  LinkDifferences(Alignment alignment, BranchCopier transplant) {
    this.alignment = alignment;
    this.a = alignment.a();
    this.b = alignment.b();
    this.transplant = transplant;
  }

  /** Target of links: a part of the first machine, or the name of a kind without parts. */
  private record Target(String element, Object to) {}

  /** Key for merging equal changes: kind of link, its two ends if it has two, and the counts. */
  private record Change(String element, Object ends, String before, String after) {}

  List<Difference> list() {
    Map<Change, List<MachinePart>> changes = new LinkedHashMap<>();
    Map<Change, Target> targets = new LinkedHashMap<>();
    for (MachinePart partA : alignment.pairedInA()) {
      Map<Target, Integer> before = counts(a.links(partA), false);
      Map<Target, Integer> after = counts(b.links(alignment.inB(partA).orElseThrow()), true);
      Set<Target> either = new LinkedHashSet<>(before.keySet());
      either.addAll(after.keySet());
      for (Target target : either) {
        Integer oldCount = before.get(target);
        Integer newCount = after.get(target);
        if (oldCount == null || !oldCount.equals(newCount)) {
          Change change =
              new Change(target.element, ends(partA, target.to), text(oldCount), text(newCount));
          changes.computeIfAbsent(change, c -> new ArrayList<>()).add(partA);
          targets.putIfAbsent(change, target);
        }
      }
    }
    List<Difference> differences = new ArrayList<>();
    changes.forEach(
        (change, parts) -> {
          Target target = targets.get(change);
          if (target != null) {
            differences.add(difference(change, target, parts));
          }
        });
    return differences;
  }

  private static String text(@Nullable Integer count) {
    return count == null ? AttributeDifferences.NONE : String.valueOf(count);
  }

  /** The two ends of a link, equal from either side; for a link to a switch, the target. */
  private static Object ends(MachinePart from, Object to) {
    return to instanceof MachinePart other
        ? new TreeSet<>(List.of(end(from).index(), other.index()))
        : to;
  }

  /** End of links to a part: for a GPU its PCI function. */
  private static MachinePart end(MachinePart part) {
    return part.kind() == PartKind.GPU ? part.parent().orElse(part) : part;
  }

  private Map<Target, Integer> counts(List<Link> links, boolean ofB) {
    Map<Target, Integer> counts = new LinkedHashMap<>();
    for (Link link : links) {
      target(link, ofB).ifPresent(target -> counts.merge(target, link.count(), Integer::sum));
    }
    return counts;
  }

  /** Target of a link in terms of the first machine; empty if only one machine has it. */
  private Optional<Target> target(Link link, boolean ofB) {
    String element = link.element().name();
    if (link.target().isEmpty()) {
      return Optional.of(new Target(element, link.targetKind()));
    }
    MachinePart target = link.target().get();
    return ofB
        ? alignment.inA(target).map(part -> new Target(element, part))
        : alignment.inB(target).map(part -> new Target(element, target));
  }

  private Difference difference(Change change, Target target, List<MachinePart> parts) {
    TreeEdit edit = new TreeEdit();
    parts.forEach(part -> replace(part, targetOf(part, target, parts), edit));
    String what = " of " + a.names(parts);
    if (target.to instanceof MachinePart other) {
      what = " between " + a.name(parts.get(0)) + " and " + a.name(other);
      otherEnd(target, parts, edit);
    }
    return new Difference(
        Difference.Kind.LINKS,
        alignment.places(parts),
        target.element + " count",
        change.before,
        change.after,
        target.element + what + ": count " + change.before + " → " + change.after,
        edit);
  }

  /** Target seen from one end: from the second end it is the first. */
  private static Target targetOf(MachinePart part, Target target, List<MachinePart> parts) {
    return target.to instanceof MachinePart && !part.equals(parts.get(0))
        ? new Target(target.element, end(parts.get(0)))
        : target;
  }

  /** Edits the second end of a link along with the first if it had no other count to show. */
  private void otherEnd(Target target, List<MachinePart> parts, TreeEdit edit) {
    MachinePart first = parts.get(0);
    if (parts.size() == 1 && target.to instanceof MachinePart slot) {
      slot.all().stream()
          .filter(part -> part.kind() == first.kind())
          .findFirst()
          .ifPresent(part -> replace(part, new Target(target.element, end(first)), edit));
    }
  }

  /** Replaces the links of a part to a target by those of its partner. */
  private void replace(MachinePart partA, Target target, TreeEdit edit) {
    for (Link link : a.links(partA)) {
      if (target(link, false).equals(Optional.of(target))) {
        edit.drop(link.element(), List.of());
      }
    }
    for (Link link : b.links(alignment.inB(partA).orElseThrow())) {
      if (target(link, true).equals(Optional.of(target))) {
        edit.putFirst(partA.element(), transplant.link(link));
      }
    }
  }
}
