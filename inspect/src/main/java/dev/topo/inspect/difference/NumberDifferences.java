package dev.topo.inspect.difference;

import dev.topo.model.Alike;
import dev.topo.model.QuantityFormat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Finds GPUs and ports that are numbered in another order, and ports that share another card. A
 * missing or added device does not renumber the others: order counts, not the number itself.
 */
final class NumberDifferences {
  private final Alignment alignment;
  private final MachineTree a;
  private final MachineTree b;

  NumberDifferences(Alignment alignment) {
    this.alignment = alignment;
    this.a = alignment.a();
    this.b = alignment.b();
  }

  List<Difference> list() {
    List<Difference> differences = new ArrayList<>();
    numbered(PartKind.GPU, "dev", a::number, b::number).ifPresent(differences::add);
    numbered(PartKind.GPU, "rank", a::rank, b::rank).ifPresent(differences::add);
    numbered(PartKind.PORT, "dev", a::number, b::number).ifPresent(differences::add);
    cards().ifPresent(differences::add);
    return differences;
  }

  /** True if ports are numbered in another order. */
  boolean portsAreNumberedOtherwise() {
    return numbered(PartKind.PORT, "dev", a::number, b::number).isPresent();
  }

  private List<MachinePart> partnersIn(PartKind kind) {
    return a.parts(kind).stream().filter(part -> alignment.inB(part).isPresent()).toList();
  }

  private MachinePart partner(MachinePart partA) {
    return alignment.inB(partA).orElseThrow();
  }

  private Optional<Difference> numbered(
      PartKind kind,
      String attribute,
      ToIntFunction<MachinePart> inA,
      ToIntFunction<MachinePart> inB) {
    List<MachinePart> byA = partnersIn(kind).stream().sorted(Comparator.comparingInt(inA)).toList();
    List<MachinePart> byB =
        byA.stream()
            .sorted(Comparator.comparingInt((MachinePart part) -> inB.applyAsInt(partner(part))))
            .toList();
    if (byA.equals(byB)) {
      return Optional.empty();
    }
    boolean ranksFollowDevs =
        attribute.equals("rank")
            && byA.stream()
                .allMatch(
                    part ->
                        a.rank(part) == a.number(part)
                            && b.rank(partner(part)) == b.number(partner(part)));
    if (ranksFollowDevs) {
      return Optional.empty(); // Reported with the device numbers.
    }
    // The numbers stay those of the first machine; only their owners change.
    TreeEdit edit = new TreeEdit();
    List<MachinePart> changed = new ArrayList<>();
    for (int i = 0; i < byA.size(); i++) {
      MachinePart holder = byA.get(i);
      MachinePart next = byB.get(i);
      if (holder.equals(next)) {
        continue;
      }
      edit.set(next.element(), attribute, Optional.of(value(holder, attribute, inA)));
      if (kind == PartKind.GPU
          && attribute.equals("dev")
          && holder.element().attribute("rank").isPresent()) {
        edit.set(next.element(), "rank", holder.element().attribute("rank"));
      }
      if (AttributeDifferences.isExchanged(alignment, next)) {
        edit.set(next.element(), "name", partner(next).element().attribute("name"));
      }
      changed.add(holder);
    }
    String before = joined(changed, a::id);
    String after = joined(changed, part -> b.id(partner(part)));
    if (before.equals(after)) {
      before = joined(changed, inA::applyAsInt);
      after = joined(changed, part -> inB.applyAsInt(partner(part)));
    }
    String what = attribute.equals("rank") ? "ranks of GPUs" : kind.noun() + "s";
    return Optional.of(
        new Difference(
            Difference.Kind.NUMBERED,
            alignment.places(changed),
            attribute,
            before,
            after,
            what + " are numbered otherwise: " + before + " → " + after,
            edit));
  }

  private static String joined(List<MachinePart> parts, Function<MachinePart, Object> word) {
    return parts.stream().map(word).map(String::valueOf).collect(Collectors.joining(" "));
  }

  private static String value(
      MachinePart part, String attribute, ToIntFunction<MachinePart> number) {
    return part.element()
        .attribute(attribute)
        .orElseGet(() -> String.valueOf(number.applyAsInt(part)));
  }

  private Optional<Difference> cards() {
    List<MachinePart> ports = partnersIn(PartKind.PORT);
    Map<Object, List<MachinePart>> matesInA = Alike.by(ports, a::card);
    Map<Object, List<MachinePart>> matesInB = Alike.by(ports, port -> b.card(partner(port)));
    TreeEdit edit = new TreeEdit();
    List<MachinePart> changed = new ArrayList<>();
    List<Object> cardsOfB = List.copyOf(matesInB.keySet());
    for (MachinePart port : ports) {
      Object card = b.card(partner(port));
      // Ids without a card, as those of the first machine may belong to others.
      String guid = "0x" + Integer.toHexString(1 + cardsOfB.indexOf(card));
      edit.set(port.element(), "guid", Optional.of(guid));
      if (!Objects.equals(matesInA.get(a.card(port)), matesInB.get(card))) {
        changed.add(port);
      }
    }
    if (changed.isEmpty()) {
      return Optional.empty();
    }
    String before = sharing(changed, a::card);
    String after = sharing(changed, port -> b.card(partner(port)));
    return Optional.of(
        new Difference(
            Difference.Kind.CARD,
            alignment.places(changed),
            "guid",
            before,
            after,
            "ports of one card: " + before + " → " + after,
            edit));
  }

  /** Names of ports that share a card, joined by +. */
  private String sharing(List<MachinePart> ports, Function<MachinePart, Object> card) {
    String shared =
        Alike.by(ports, card).values().stream()
            .filter(mates -> mates.size() > 1)
            .map(mates -> QuantityFormat.joined("+", mates, a::id))
            .collect(Collectors.joining(", "));
    return shared.isEmpty() ? AttributeDifferences.NONE : shared;
  }
}
