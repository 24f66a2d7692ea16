package dev.topo.inspect.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * GPUs and ports that are numbered in another order, and ports that share another card. A device
 * that is missing or added does not number the others otherwise: order counts, not the number
 * itself.
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

  /** Whether ports are numbered in another order. */
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
      return Optional.empty(); // Said with the device numbers.
    }
    // The numbers stay those of the first machine; only who has which changes.
    TreeEdit edit = new TreeEdit();
    List<Difference.Place> places = new ArrayList<>();
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
      places.add(PartNames.place(alignment, holder));
    }
    String before = changed.stream().map(a::id).collect(Collectors.joining(" "));
    String after =
        changed.stream().map(part -> b.id(partner(part))).collect(Collectors.joining(" "));
    if (before.equals(after)) {
      before =
          changed.stream()
              .map(p -> String.valueOf(inA.applyAsInt(p)))
              .collect(Collectors.joining(" "));
      after =
          changed.stream()
              .map(p -> String.valueOf(inB.applyAsInt(partner(p))))
              .collect(Collectors.joining(" "));
    }
    String what = attribute.equals("rank") ? "ranks of GPUs" : kind.noun() + "s";
    return Optional.of(
        new Difference(
            Difference.Kind.NUMBERED,
            places,
            attribute,
            before,
            after,
            what + " are numbered otherwise: " + before + " → " + after,
            edit));
  }

  private static String value(
      MachinePart part, String attribute, ToIntFunction<MachinePart> number) {
    return part.element()
        .attribute(attribute)
        .orElseGet(() -> String.valueOf(number.applyAsInt(part)));
  }

  private Optional<Difference> cards() {
    List<MachinePart> ports = partnersIn(PartKind.PORT);
    Map<Object, TreeSet<String>> matesInA = new LinkedHashMap<>();
    Map<Object, TreeSet<String>> matesInB = new LinkedHashMap<>();
    for (MachinePart port : ports) {
      matesInA.computeIfAbsent(a.card(port), c -> new TreeSet<>()).add(key(port));
      matesInB.computeIfAbsent(b.card(partner(port)), c -> new TreeSet<>()).add(key(port));
    }
    TreeEdit edit = new TreeEdit();
    List<Difference.Place> places = new ArrayList<>();
    List<MachinePart> changed = new ArrayList<>();
    List<Object> cardsOfB = List.copyOf(matesInB.keySet());
    for (MachinePart port : ports) {
      Object card = b.card(partner(port));
      // Ids that no card has: those of the first machine may be those of others.
      edit.set(
          port.element(),
          "guid",
          Optional.of("0x" + Integer.toHexString(1 + cardsOfB.indexOf(card))));
      if (!matesInA
          .getOrDefault(a.card(port), new TreeSet<>())
          .equals(matesInB.getOrDefault(card, new TreeSet<>()))) {
        changed.add(port);
        places.add(PartNames.place(alignment, port));
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
            places,
            "guid",
            before,
            after,
            "ports of one card: " + before + " → " + after,
            edit));
  }

  private static String key(MachinePart port) {
    return String.valueOf(port.index());
  }

  /** Ports that share a card, with + between them. */
  private String sharing(List<MachinePart> ports, Function<MachinePart, Object> card) {
    Map<Object, List<String>> byCard = new LinkedHashMap<>();
    ports.forEach(p -> byCard.computeIfAbsent(card.apply(p), c -> new ArrayList<>()).add(a.id(p)));
    String shared =
        byCard.values().stream()
            .filter(names -> names.size() > 1)
            .map(names -> String.join("+", names))
            .collect(Collectors.joining(", "));
    return shared.isEmpty() ? AttributeDifferences.NONE : shared;
  }
}
