package dev.topo.inspect.difference;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds missing, added and moved devices, switches and CPUs. */
final class StructureDifferences {
  private final Alignment alignment;
  private final MachineTree a;
  private final MachineTree b;
  private final BranchCopier transplant;

  StructureDifferences(Alignment alignment, BranchCopier transplant) {
    this.alignment = alignment;
    this.a = alignment.a();
    this.b = alignment.b();
    this.transplant = transplant;
  }

  /** Old and new parent of moved parts. */
  private record Move(MachinePart from, MachinePart to) {}

  List<Difference> list() {
    List<Difference> differences = new ArrayList<>();
    Map<Move, List<MachinePart>> moved = new LinkedHashMap<>();
    for (MachinePart partA : a.parts()) {
      if (alignment.isMissing(partA) && !isOnlyMoves(partA, alignment::inB)) {
        differences.add(missing(partA));
      } else if (alignment.isMoved(partA)) {
        MachinePart to = alignment.inB(partA).flatMap(MachinePart::parent).orElseThrow();
        Move move = new Move(partA.parent().orElseThrow(), to);
        moved.computeIfAbsent(move, w -> new ArrayList<>()).add(partA);
      }
    }
    moved.forEach((move, parts) -> differences.add(moved(move, parts)));
    b.parts().stream()
        .filter(part -> alignment.isAdded(part) && !isOnlyMoves(part, alignment::inA))
        .forEach(part -> differences.add(added(part)));
    return differences;
  }

  /**
   * True if a switch has devices that are all elsewhere in the other machine; the moves report
   * them.
   */
  private static boolean isOnlyMoves(
      MachinePart branch, Function<MachinePart, Optional<MachinePart>> partner) {
    return branch.kind() == PartKind.BRIDGE
        && !devices(branch, part -> Optional.empty()).isEmpty()
        && devices(branch, partner).isEmpty();
  }

  /** GPUs and ports that are added or removed with a branch. */
  private static List<MachinePart> devices(
      MachinePart branch, Function<MachinePart, Optional<MachinePart>> partner) {
    return own(branch, partner)
        .filter(part -> part.kind() == PartKind.GPU || part.kind() == PartKind.PORT)
        .toList();
  }

  /**
   * Parts of a branch without a partner, in the order of the file. Parts below one with a partner
   * do not belong to the branch: they come or go by themselves.
   */
  private static Stream<MachinePart> own(
      MachinePart branch, Function<MachinePart, Optional<MachinePart>> partner) {
    return partner.apply(branch).isPresent()
        ? Stream.empty()
        : Stream.concat(
            Stream.of(branch), branch.children().stream().flatMap(child -> own(child, partner)));
  }

  private Difference missing(MachinePart partA) {
    List<XmlElement> survivors = new ArrayList<>();
    survivors(partA, survivors);
    TreeEdit edit = new TreeEdit().drop(partA.element(), survivors);
    if (partA.kind() == PartKind.CPU) {
      // Devices are always below a CPU: they go to the first remaining one.
      edit.drop(partA.element(), List.of());
      a.parts(PartKind.CPU).stream()
          .filter(cpu -> alignment.inB(cpu).isPresent())
          .findFirst()
          .ifPresent(cpu -> survivors.forEach(s -> edit.putFirst(cpu.element(), copy(s))));
    }
    return new Difference(
        Difference.Kind.MISSING,
        List.of(alignment.place(partA)),
        "",
        a.name(partA),
        AttributeDifferences.NONE,
        a.name(partA) + " is missing" + content(a, partA, alignment::inB),
        edit);
  }

  /** Collects the parts of a missing branch that the second machine has elsewhere. */
  private void survivors(MachinePart partA, List<XmlElement> survivors) {
    for (MachinePart child : partA.children()) {
      if (alignment.inB(child).isPresent()) {
        survivors.add(child.element());
      } else {
        survivors(child, survivors);
      }
    }
  }

  private Difference added(MachinePart partB) {
    XmlElement copy = transplant.copy(partB);
    TreeEdit edit = new TreeEdit();
    put(partB, copy, edit);
    number(partB, copy, PartKind.GPU, "dev", a::number, b::number, edit);
    number(partB, copy, PartKind.PORT, "dev", a::number, b::number, edit);
    boolean ranked =
        a.parts(PartKind.GPU).stream().allMatch(gpu -> gpu.element().attribute("rank").isPresent());
    if (ranked) {
      number(partB, copy, PartKind.GPU, "rank", a::rank, b::rank, edit);
    }
    backLinks(partB, edit);
    String name = b.name(partB);
    Optional<SourceLocation> location = Optional.of(partB.element().location());
    return new Difference(
        Difference.Kind.ADDED,
        List.of(new Difference.Place(name, Optional.empty(), location)),
        "",
        AttributeDifferences.NONE,
        name,
        name + " is only in the second" + content(b, partB, alignment::inA),
        edit);
  }

  /** Describes the devices that are added or removed with a switch or a CPU. */
  private static String content(
      MachineTree tree, MachinePart branch, Function<MachinePart, Optional<MachinePart>> partner) {
    if (branch.kind() != PartKind.BRIDGE && branch.kind() != PartKind.CPU) {
      return "";
    }
    List<String> devices = devices(branch, partner).stream().map(tree::name).toList();
    return devices.isEmpty() ? "" : " with " + String.join(", ", devices);
  }

  private Difference moved(Move move, List<MachinePart> parts) {
    String before = a.name(move.from);
    Optional<MachinePart> target = alignment.inA(move.to);
    String after = target.map(a::name).orElseGet(() -> b.name(move.to) + " of the second");
    TreeEdit edit = new TreeEdit();
    if (target.isPresent()) {
      parts.forEach(part -> put(alignment.inB(part).orElseThrow(), copy(part.element()), edit));
    } else {
      List<XmlNode> contents = parts.stream().map(part -> (XmlNode) copy(part.element())).toList();
      put(move.to, transplant.shell(move.to, contents), edit);
    }
    parts.forEach(part -> edit.drop(part.element(), List.of()));
    if (alignment.inB(move.from).isEmpty() && move.from.children().equals(parts)) {
      edit.drop(move.from.element(), List.of());
    }
    String names = QuantityFormat.joined(", ", parts, a::name);
    return new Difference(
        Difference.Kind.MOVED,
        alignment.places(parts),
        "parent",
        before,
        after,
        names + (parts.size() == 1 ? " is" : " are") + where(move) + ": " + before + " → " + after,
        edit);
  }

  /** Separate element, so that the edit distinguishes it from the one that it removes. */
  private static XmlElement copy(XmlElement element) {
    return element.with(element.children());
  }

  private static String where(Move move) {
    boolean fromSwitch = move.from.kind() == PartKind.BRIDGE;
    boolean toSwitch = move.to.kind() == PartKind.BRIDGE;
    if (toSwitch) {
      return fromSwitch ? " under another switch" : " under a switch";
    }
    return fromSwitch ? " under no switch" : " elsewhere";
  }

  /**
   * Inserts an element at the place of a part of the second machine, with the switches above that
   * only that machine has.
   */
  private void put(MachinePart partB, XmlElement element, TreeEdit edit) {
    XmlElement branch = element;
    MachinePart top = partB;
    MachinePart parentB = partB.parent().orElseThrow();
    while (alignment.inA(parentB).isEmpty()) {
      branch = transplant.shell(parentB, List.of(branch));
      top = parentB;
      parentB = parentB.parent().orElseThrow();
    }
    Optional<MachinePart> parentA = alignment.inA(parentB);
    Optional<MachinePart> before = Optional.empty();
    for (MachinePart sibling : parentB.children()) {
      if (sibling.equals(top)) {
        break;
      }
      Optional<MachinePart> partner =
          alignment.inA(sibling).filter(p -> p.parent().equals(parentA));
      before = partner.isPresent() ? partner : before;
    }
    if (before.isPresent()) {
      edit.putBehind(before.get().element(), branch);
    } else {
      edit.putFirst(parentA.orElseThrow().element(), branch);
    }
  }

  /**
   * Numbers the devices of an added branch among the present ones, in the order of the second
   * machine.
   */
  private void number(
      MachinePart branchB,
      XmlElement copy,
      PartKind kind,
      String attribute,
      ToIntFunction<MachinePart> inA,
      ToIntFunction<MachinePart> inB,
      TreeEdit edit) {
    List<MachinePart> inOrderOfCopy =
        own(branchB, alignment::inA).filter(part -> part.kind() == kind).toList();
    if (inOrderOfCopy.isEmpty()) {
      return;
    }
    List<XmlElement> order = new ArrayList<>();
    a.parts(kind).stream()
        .sorted(Comparator.comparingInt(inA))
        .forEach(part -> order.add(part.element()));
    List<XmlElement> copies = new ArrayList<>();
    collect(copy, inOrderOfCopy.get(0).element().name(), copies);
    int place = 0;
    for (MachinePart part : inOrderOfCopy.stream().sorted(Comparator.comparingInt(inB)).toList()) {
      for (MachinePart other : b.parts(kind)) {
        Optional<MachinePart> partner = alignment.inA(other);
        if (partner.isPresent() && inB.applyAsInt(other) < inB.applyAsInt(part)) {
          place = Math.max(place, order.indexOf(partner.get().element()) + 1);
        }
      }
      order.add(place++, copies.get(inOrderOfCopy.indexOf(part)));
    }
    for (int i = 0; i < order.size(); i++) {
      edit.set(order.get(i), attribute, Optional.of(String.valueOf(i)));
    }
  }

  private static void collect(XmlElement element, String name, List<XmlElement> found) {
    if (element.name().equals(name)) {
      found.add(element);
    }
    element.elements().forEach(child -> collect(child, name, found));
  }

  /**
   * Adds the links from the first machine's devices to an added branch, as links are written at
   * both ends.
   */
  private void backLinks(MachinePart branchB, TreeEdit edit) {
    Set<MachinePart> added = own(branchB, alignment::inA).collect(Collectors.toSet());
    for (MachinePart partB : b.parts()) {
      for (MachineTree.Link link : b.links(partB)) {
        if (link.target().filter(added::contains).isPresent()) {
          alignment
              .inA(partB)
              .ifPresent(partA -> edit.putFirst(partA.element(), transplant.link(link)));
        }
      }
    }
  }
}
