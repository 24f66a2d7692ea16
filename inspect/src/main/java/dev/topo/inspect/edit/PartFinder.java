package dev.topo.inspect.edit;

import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.node.BusId;
import dev.topo.model.xml.XmlTreeNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds the parts of a machine that selectors name, in the order of the file. */
final class PartFinder {
  private final XmlTreeNode system;

  PartFinder(XmlTreeNode system) {
    this.system = system;
  }

  /** The parts that a selector names; at least one. */
  List<XmlTreeNode> find(Selector selector) {
    List<XmlTreeNode> found = candidates(selector);
    if (found.isEmpty()) {
      throw new TopologyFormatException(
          selector.location(), "the machine has no " + selector + ", expected " + known(selector));
    }
    return found;
  }

  /** The one part that a selector names. */
  XmlTreeNode findOne(Selector selector) {
    List<XmlTreeNode> found = find(selector);
    if (found.size() > 1) {
      throw new TopologyFormatException(
          selector.location(), selector + " names " + found.size() + " parts, expected one");
    }
    return found.get(0);
  }

  private List<XmlTreeNode> candidates(Selector selector) {
    return switch (selector.kind()) {
      case CPU -> system.all("cpu").stream().filter(cpu -> isCpu(cpu, selector)).toList();
      case PCI -> system.all("pci").stream().filter(pci -> hasBusId(pci, selector)).toList();
      case SWITCH ->
          system.all("pci").stream()
              .filter(pci -> TopologyElements.isSwitch(pci) && hasBusId(pci, selector))
              .toList();
      case GPU -> gpus(selector);
      case NIC -> cards(selector);
      case NET -> nets(selector);
      case NVLINK -> nvlinks(selector);
    };
  }

  private static boolean isCpu(XmlTreeNode cpu, Selector selector) {
    return selector.matches(cpu.value("numaid"));
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
    List<XmlTreeNode> all = system.all("gpu");
    List<XmlTreeNode> found = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      XmlTreeNode gpu = all.get(i);
      if (looksLikeBusId(selector)
          ? hasBusId(TopologyElements.device(gpu), selector)
          : selector.matches(dev(gpu, i))) {
        found.add(gpu);
      }
    }
    return found;
  }

  /** The number of a device; its place where the file states none. */
  private static String dev(XmlTreeNode device, int place) {
    return device.attributes().getOrDefault("dev", String.valueOf(place));
  }

  private List<XmlTreeNode> nets(Selector selector) {
    List<XmlTreeNode> all = system.all("net");
    List<XmlTreeNode> named =
        all.stream().filter(net -> selector.matches(net.value("name"))).toList();
    if (!named.isEmpty()) {
      return named;
    }
    List<XmlTreeNode> numbered = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (selector.matches(dev(all.get(i), i))) {
        numbered.add(all.get(i));
      }
    }
    return numbered;
  }

  private List<XmlTreeNode> cards(Selector selector) {
    if (looksLikeBusId(selector)) {
      return system.all("nic").stream()
          .filter(
              nic ->
                  TopologyElements.device(nic).is("pci")
                      && hasBusId(TopologyElements.device(nic), selector))
          .toList();
    }
    Set<XmlTreeNode> cards = new LinkedHashSet<>();
    for (XmlTreeNode net : nets(selector)) {
      net.parent().ifPresent(cards::add);
    }
    return List.copyOf(cards);
  }

  private List<XmlTreeNode> nvlinks(Selector selector) {
    String[] ends = selector.value().split("-", -1);
    if (ends.length > 2) {
      return List.of();
    }
    List<XmlTreeNode> from = gpu(selector, ends[0]);
    if (ends.length == 1) {
      Stream<XmlTreeNode> own = from.stream().flatMap(gpu -> gpu.children("nvlink").stream());
      return Stream.concat(own, between(system.all("gpu"), from)).distinct().toList();
    }
    List<XmlTreeNode> to = gpu(selector, ends[1]);
    return Stream.concat(between(from, to), between(to, from)).distinct().toList();
  }

  private List<XmlTreeNode> gpu(Selector selector, String dev) {
    return gpus(new Selector(Selector.Kind.GPU, dev, selector.location()));
  }

  private static Stream<XmlTreeNode> between(List<XmlTreeNode> from, List<XmlTreeNode> to) {
    return from.stream()
        .flatMap(gpu -> gpu.children("nvlink").stream())
        .filter(
            link ->
                to.stream()
                    .anyMatch(
                        gpu ->
                            TopologyElements.sameBusId(
                                link.value("target"), TopologyElements.busId(gpu))));
  }

  /** GPUs that have NVLinks, and pairs with NVLinks between them. */
  private String knownNvlinks() {
    List<XmlTreeNode> gpus = system.all("gpu");
    List<String> names = new ArrayList<>();
    List<String> pairs = new ArrayList<>();
    for (int a = 0; a < gpus.size(); a++) {
      List<XmlTreeNode> one = List.of(gpus.get(a));
      if (!one.get(0).children("nvlink").isEmpty()) {
        names.add(dev(gpus.get(a), a));
      }
      for (int b = a + 1; b < gpus.size(); b++) {
        List<XmlTreeNode> other = List.of(gpus.get(b));
        if (Stream.concat(between(one, other), between(other, one)).findAny().isPresent()) {
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

  /** The names that a selector of this kind could have. */
  private String known(Selector selector) {
    if (selector.kind() == Selector.Kind.NVLINK) {
      return knownNvlinks();
    }
    Stream<String> names =
        switch (selector.kind()) {
          case CPU -> system.all("cpu").stream().map(cpu -> cpu.value("numaid"));
          case PCI -> system.all("pci").stream().map(pci -> pci.value("busid"));
          case SWITCH ->
              system.all("pci").stream()
                  .filter(TopologyElements::isSwitch)
                  .map(pci -> pci.value("busid"));
          case GPU -> system.all("gpu").stream().map(gpu -> gpu.value("dev"));
          case NIC, NET ->
              system.all("net").stream()
                  .map(net -> Optional.of(net.value("name")).filter(n -> !n.isEmpty()))
                  .map(name -> name.orElse("dev"));
          case NVLINK -> Stream.empty();
        };
    List<String> list = names.distinct().toList();
    return list.isEmpty()
        ? selector.kind().expected()
        : selector.kind().word() + ": with one of " + String.join(", ", list);
  }
}
