package dev.topo.inspect.edit;

import dev.topo.model.Node.BusId;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.XmlTreeNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds the parts that selectors name, in the order of the file. */
record PartFinder(XmlTreeNode system) {
  boolean has(Selector selector) {
    return !candidates(selector).isEmpty();
  }

  /** Parts that a selector names; at least one. */
  List<XmlTreeNode> find(Selector selector) {
    List<XmlTreeNode> found = candidates(selector);
    if (found.isEmpty()) {
      throw new TopologyFormatException(
          selector.location(), "the machine has no " + selector + ", expected " + known(selector));
    }
    return found;
  }

  /** The only part that a selector names. */
  XmlTreeNode findOne(Selector selector) {
    List<XmlTreeNode> found = find(selector);
    if (found.size() > 1) {
      throw selector.error(" names " + found.size() + " parts, expected one");
    }
    return found.get(0);
  }

  private List<XmlTreeNode> candidates(Selector selector) {
    return switch (selector.kind()) {
      case CPU -> all("cpu", cpu -> selector.matches(cpu.value("numaid")));
      case PCI -> all("pci", pci -> hasBusId(pci, selector));
      case SWITCH -> all("pci", pci -> TopologyElements.isSwitch(pci) && hasBusId(pci, selector));
      case GPU -> gpus(selector);
      case NIC -> cards(selector);
      case NET -> nets(selector);
      case NVLINK -> nvlinks(selector);
    };
  }

  private List<XmlTreeNode> all(String tag, Predicate<XmlTreeNode> condition) {
    return system.all(tag).stream().filter(condition).toList();
  }

  /** Parts with a tag whose number is selected. */
  private List<XmlTreeNode> numbered(String tag, Selector selector) {
    List<XmlTreeNode> candidates = system.all(tag);
    return IntStream.range(0, candidates.size())
        .filter(i -> selector.matches(dev(candidates.get(i), i)))
        .mapToObj(candidates::get)
        .toList();
  }

  private static boolean hasBusId(XmlTreeNode pci, Selector selector) {
    String busId = pci.value("busid");
    if (!selector.isPattern() && BusId.isBusId(selector.value()) && BusId.isBusId(busId)) {
      return new BusId(selector.value()).number() == new BusId(busId).number();
    }
    return selector.matches(busId);
  }

  private static boolean looksLikeBusId(Selector selector) {
    return selector.value().contains(":");
  }

  private List<XmlTreeNode> gpus(Selector selector) {
    return looksLikeBusId(selector)
        ? all("gpu", gpu -> hasBusId(TopologyElements.device(gpu), selector))
        : numbered("gpu", selector);
  }

  /** Number of a device; its index if the file states none. */
  private static String dev(XmlTreeNode device, int index) {
    return device.attributes().getOrDefault("dev", String.valueOf(index));
  }

  private List<XmlTreeNode> nets(Selector selector) {
    List<XmlTreeNode> named = all("net", net -> selector.matches(net.value("name")));
    return named.isEmpty() ? numbered("net", selector) : named;
  }

  private List<XmlTreeNode> cards(Selector selector) {
    if (looksLikeBusId(selector)) {
      return all(
          "nic",
          nic -> {
            XmlTreeNode device = TopologyElements.device(nic);
            return device.is("pci") && hasBusId(device, selector);
          });
    }
    return nets(selector).stream().flatMap(net -> net.parent().stream()).distinct().toList();
  }

  private List<XmlTreeNode> nvlinks(Selector selector) {
    String[] ends = selector.value().split("-", -1);
    if (ends.length > 2) {
      return List.of();
    }
    List<XmlTreeNode> from = gpu(selector, ends[0]);
    if (ends.length == 1) {
      Stream<XmlTreeNode> links = from.stream().flatMap(gpu -> gpu.children("nvlink").stream());
      return Stream.concat(links, between(system.all("gpu"), from)).distinct().toList();
    }
    List<XmlTreeNode> to = gpu(selector, ends[1]);
    return Stream.concat(between(from, to), between(to, from)).distinct().toList();
  }

  private List<XmlTreeNode> gpu(Selector selector, String dev) {
    return gpus(new Selector(Selector.Kind.GPU, dev, selector.location()));
  }

  private static Stream<XmlTreeNode> between(List<XmlTreeNode> from, List<XmlTreeNode> to) {
    List<String> ends = to.stream().map(TopologyElements::busId).toList();
    return from.stream()
        .flatMap(gpu -> gpu.children("nvlink").stream())
        .filter(link -> ends.stream().anyMatch(link.value("target")::equalsIgnoreCase));
  }

  /**
   * Describes the NVLinks that a selector could name: GPUs that have some, and pairs of GPUs
   * between which some exist.
   */
  private String knownNvlinks() {
    List<XmlTreeNode> gpus = system.all("gpu");
    List<String> names = new ArrayList<>();
    List<String> pairs = new ArrayList<>();
    for (int a = 0; a < gpus.size(); a++) {
      List<XmlTreeNode> first = List.of(gpus.get(a));
      if (!first.get(0).children("nvlink").isEmpty()) {
        names.add(dev(gpus.get(a), a));
      }
      for (int b = a + 1; b < gpus.size(); b++) {
        List<XmlTreeNode> other = List.of(gpus.get(b));
        if (Stream.concat(between(first, other), between(other, first)).findAny().isPresent()) {
          pairs.add(dev(gpus.get(a), a) + "-" + dev(gpus.get(b), b));
        }
      }
    }
    if (names.isEmpty()) {
      return "a machine with NVLinks";
    }
    String expected = "nvlink: with one of " + String.join(", ", names);
    return pairs.isEmpty()
        ? expected + " (its NVLinks lead to switches, none to a GPU)"
        : expected + ", " + String.join(", ", pairs);
  }

  private Stream<String> values(String tag, String attribute) {
    return system.all(tag).stream().map(part -> part.value(attribute));
  }

  /** Names that a selector of this kind could have, for messages. */
  private String known(Selector selector) {
    if (selector.kind() == Selector.Kind.NVLINK) {
      return knownNvlinks();
    }
    Stream<String> names =
        switch (selector.kind()) {
          case CPU -> values("cpu", "numaid");
          case PCI -> values("pci", "busid");
          case SWITCH ->
              all("pci", TopologyElements::isSwitch).stream().map(pci -> pci.value("busid"));
          case GPU -> values("gpu", "dev");
          case NIC, NET -> values("net", "name").map(name -> name.isEmpty() ? "dev" : name);
          case NVLINK -> Stream.empty();
        };
    List<String> list = names.distinct().toList();
    return list.isEmpty()
        ? selector.kind().expected()
        : selector.kind().word() + ": with one of " + String.join(", ", list);
  }
}
