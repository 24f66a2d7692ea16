package dev.topo.inspect.difference;

import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlNode;
import dev.topo.search.fixture.MachineXml;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One change of a machine, made at random, with what it is to be called.
 *
 * @param edited the machine after it
 * @param expected what the sentence about it has to match
 */
record RandomEdit(XmlElement edited, String expected) {
  private static final int TRIES = 1000;
  private static final String MISSING = "(NIC|GPU) .* is missing";

  /**
   * Whether numbers alone do not tell what happened: which of several alike devices is missing,
   * where bus ids do not tell either.
   */
  boolean isAmbiguous() {
    return expected.equals(MISSING);
  }

  static RandomEdit of(XmlElement machine, long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < TRIES; i++) {
      Optional<RandomEdit> edit = new Editor(machine, random).edit();
      if (edit.isPresent()
          && !CanonicalForm.of(edit.get().edited).equals(CanonicalForm.of(machine))) {
        return edit.get();
      }
    }
    throw new IllegalStateException("no edit found for seed " + seed);
  }

  /** Makes one try of an edit; used once. */
  private static final class Editor {
    private final XmlElement machine;
    private final Random random;
    private final List<XmlElement> all = new ArrayList<>();
    private final IdentityHashMap<XmlElement, XmlElement> parents = new IdentityHashMap<>();
    private final IdentityHashMap<XmlElement, List<XmlNode>> children = new IdentityHashMap<>();
    private final IdentityHashMap<XmlElement, Map<String, String>> attributes =
        new IdentityHashMap<>();

    Editor(XmlElement machine, Random random) {
      this.machine = machine;
      this.random = random;
      collect(machine);
    }

    private void collect(XmlElement element) {
      all.add(element);
      children.put(element, new ArrayList<>(element.elements()));
      attributes.put(element, new LinkedHashMap<>(element.attributes()));
      for (XmlElement child : element.elements()) {
        parents.put(child, element);
        collect(child);
      }
    }

    private XmlElement build(XmlElement element) {
      return new XmlElement(
          element.name(),
          attributes.getOrDefault(element, Map.of()),
          children.getOrDefault(element, List.of()).stream()
              .map(child -> (XmlNode) build((XmlElement) child))
              .toList(),
          element.location());
    }

    private @Nullable XmlElement any(String name) {
      List<XmlElement> of = all.stream().filter(e -> e.name().equals(name)).toList();
      return of.isEmpty() ? null : of.get(random.nextInt(of.size()));
    }

    Optional<RandomEdit> edit() {
      return switch (random.nextInt(9)) {
        case 0 -> attribute("net", "speed", "25");
        case 1 -> attribute("pci", "link_width", "2");
        case 2 -> attribute("cpu", "familyid", "99");
        case 3 -> attribute("gpu", "sm", "61");
        case 4 -> nvlink();
        case 5 -> remove();
        case 6 -> move();
        case 7 -> insertSwitch();
        default -> exchange();
      };
    }

    private Optional<RandomEdit> done(String expected) {
      return Optional.of(new RandomEdit(build(machine), expected));
    }

    private Optional<RandomEdit> attribute(String element, String name, String value) {
      XmlElement at = any(element);
      if (at == null || !at.attributes().containsKey(name)) {
        return Optional.empty();
      }
      set(at, name, value);
      return done(
          Pattern.quote(label(at) + ": " + name + " " + at.attributes().get(name) + " → " + value));
    }

    private void set(XmlElement element, String name, String value) {
      attributes.computeIfAbsent(element, e -> new LinkedHashMap<>()).put(name, value);
    }

    /** The number of links to one device, at both ends. */
    private Optional<RandomEdit> nvlink() {
      XmlElement link = any("nvlink");
      if (link == null) {
        return Optional.empty();
      }
      set(link, "count", "7");
      XmlElement gpu = parent(link);
      String change = ": count " + link.attributes().get("count") + " → 7";
      String own = parent(gpu).attributes().getOrDefault("busid", "");
      for (XmlElement peer : all) {
        if (link.attributes().get("target").equals(peer.attributes().get("busid"))) {
          peer.elements("gpu").stream()
              .flatMap(g -> g.elements("nvlink").stream())
              .filter(back -> back.attributes().get("target").equals(own))
              .forEach(back -> set(back, "count", "7"));
          return done("nvlink between GPU \\d+ and GPU \\d+" + Pattern.quote(change));
        }
      }
      return done(Pattern.quote("nvlink of " + label(gpu) + change));
    }

    private XmlElement parent(XmlElement element) {
      XmlElement parent = parents.get(element);
      if (parent == null) {
        throw new IllegalStateException("the root has no parent");
      }
      return parent;
    }

    private Optional<RandomEdit> remove() {
      XmlElement slot = slot();
      if (slot == null || (!slot.elements("gpu").isEmpty() && hasNvlink())) {
        return Optional.empty();
      }
      take(slot);
      return done(MISSING);
    }

    private boolean hasNvlink() {
      return all.stream().anyMatch(e -> e.name().equals("nvlink"));
    }

    private @Nullable XmlElement slot() {
      XmlElement pci = any("pci");
      return pci != null && isSlot(pci) ? pci : null;
    }

    private static boolean isSlot(XmlElement element) {
      return element.name().equals("pci")
          && element.elements("pci").isEmpty()
          && !element.elements().isEmpty();
    }

    private void take(XmlElement element) {
      List<XmlNode> siblings = children.getOrDefault(parent(element), List.of());
      siblings.removeIf(sibling -> sibling == element);
    }

    private Optional<RandomEdit> move() {
      XmlElement slot = slot();
      XmlElement to = any(random.nextBoolean() ? "pci" : "cpu");
      boolean isEndpoint =
          to == null || !(to.elements("gpu").isEmpty() && to.elements("nic").isEmpty());
      if (slot == null || to == null || isEndpoint || parent(slot) == to) {
        return Optional.empty();
      }
      take(slot);
      children.computeIfAbsent(to, e -> new ArrayList<>()).add(slot);
      return done(".* is (under (another|a|no) switch|elsewhere): .*");
    }

    /** A switch of its own for some devices that hang off one parent. */
    private Optional<RandomEdit> insertSwitch() {
      XmlElement slot = slot();
      if (slot == null) {
        return Optional.empty();
      }
      List<XmlNode> siblings = children.getOrDefault(parent(slot), List.of());
      List<XmlNode> contents = new ArrayList<>(List.of(slot));
      siblings.stream()
          .filter(
              s -> s != slot && s instanceof XmlElement e && isSlot(e) && random.nextInt(4) == 0)
          .forEach(contents::add);
      siblings.removeIf(sibling -> contents.stream().anyMatch(inside -> inside == sibling));
      XmlElement added =
          MachineXml.element(
              "pci",
              Map.of(
                  "busid", "00aa:01:00.0", "class", "0x060400", "link_speed", "", "link_width", ""),
              List.of());
      attributes.put(added, added.attributes());
      children.put(added, contents);
      siblings.add(added);
      return done(".* (is|are) under (another|a) switch: .* of the second");
    }

    /** Two GPUs or two ports exchange their numbers. */
    private Optional<RandomEdit> exchange() {
      String name = random.nextBoolean() ? "gpu" : "net";
      XmlElement one = any(name);
      XmlElement other = any(name);
      if (one == null || other == null || one == other || hasNvlink()) {
        return Optional.empty();
      }
      for (String attribute : List.of("dev", "rank", "name")) {
        String value = one.attributes().get(attribute);
        String otherValue = other.attributes().get(attribute);
        if (value != null && otherValue != null) {
          set(one, attribute, otherValue);
          set(other, attribute, value);
        }
      }
      return done(".*");
    }

    private static String label(XmlElement element) {
      return switch (element.name()) {
        case "net" -> "NIC " + element.attributes().get("name");
        case "cpu" -> "cpu " + element.attributes().get("numaid");
        case "gpu" -> "GPU " + element.attributes().get("dev");
        default -> {
          if (!element.elements("gpu").isEmpty()) {
            yield label(element.elements("gpu").get(0));
          }
          List<String> ports =
              element.elements("nic").stream()
                  .flatMap(nic -> nic.elements("net").stream())
                  .map(net -> String.valueOf(net.attributes().get("name")))
                  .toList();
          yield ports.isEmpty()
              ? "pci " + element.attributes().get("busid")
              : "NIC " + String.join("+", ports);
        }
      };
    }
  }
}
