package dev.topo.inspect.edit;

import dev.topo.model.Node.BusId;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.XmlTreeNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Adds parts to a machine. Attributes that an edit does not state are copied from the part that it
 * names, or else from the first of its kind; numbers that have to be unique (dev, rank, guid, bus
 * id) are the next free ones. Single use.
 */
final class PartAdder {
  private static final Map<String, String> SWITCH_DEFAULTS =
      Map.of("class", "0x060400", "link_speed", "16.0 GT/s PCIe", "link_width", "16");
  private static final Map<String, String> CARD_DEFAULTS =
      Map.of("class", "0x020700", "link_speed", "16.0 GT/s PCIe", "link_width", "16");
  private static final int DEFAULT_PORT = 1;

  /**
   * Highest bus number that is assigned; more than a domain has switches and devices in practice.
   */
  private static final int MAX_BUS = 0xff;

  private final XmlTreeNode system;
  private final PartFinder finder;

  PartAdder(XmlTreeNode system) {
    this.system = system;
    this.finder = new PartFinder(system);
  }

  void add(Edit.Add edit) {
    switch (edit.what().kind()) {
      case NET, NIC -> addNic(edit);
      case GPU -> addGpu(edit);
      case SWITCH, PCI -> addSwitch(edit);
      case NVLINK -> addNvlink(edit);
      case CPU -> throw error(edit, "expected net:, gpu:, switch: or nvlink:");
    }
  }

  private static TopologyFormatException error(Edit.Add edit, String message) {
    return new TopologyFormatException(edit.location(), edit.what() + ": " + message);
  }

  /** Part whose attributes are copied; empty if there is none. */
  private Optional<XmlTreeNode> pattern(Edit.Add edit, String element) {
    if (edit.like().isPresent()) {
      XmlTreeNode like = finder.findOne(edit.like().get());
      XmlTreeNode found =
          like.is("nic") && element.equals("net") ? like.children("net").get(0) : like;
      if (!found.is(element)) {
        throw new TopologyFormatException(
            edit.location(), edit.like().get() + ": expected a part of the kind that is added");
      }
      return Optional.of(found);
    }
    return system.all(element).stream().findFirst();
  }

  private XmlTreeNode place(Edit.Add edit) {
    return EditApplier.place(
        finder, edit.to().orElseThrow(() -> error(edit, "expected to and a switch or CPU")));
  }

  /** Creates the PCI device of a new part with a free bus id and copied attributes. */
  private XmlTreeNode device(Edit.Add edit, Map<String, String> from, XmlTreeNode place) {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("busid", freeBusId(place));
    from.forEach(attributes::putIfAbsent);
    return new XmlTreeNode("pci", attributes, edit.location());
  }

  /** Sets the attributes that the edit states, each at the elements for which NCCL reads it. */
  private static void setStated(Edit.Add edit, XmlTreeNode... elements) {
    edit.attributes()
        .forEach(
            (name, value) ->
                EditApplier.owners(List.of(elements), name, edit.location())
                    .forEach(owner -> owner.set(name, value, edit.location())));
  }

  /** Rejects a device whose name is taken: neither could be selected. */
  private void requireFreeName(Edit.Add edit, String element, String attribute) {
    String name = edit.what().value();
    if (system.all(element).stream().anyMatch(part -> part.value(attribute).equals(name))) {
      throw error(edit, "the machine has one, expected another " + attribute);
    }
  }

  private void addNic(Edit.Add edit) {
    requireFreeName(edit, "net", "name");
    XmlTreeNode place = place(edit);
    Optional<XmlTreeNode> like = pattern(edit, "net");
    if (like.isEmpty() && !edit.attributes().containsKey("speed")) {
      throw error(edit, "the machine has no port to be like, expected speed=");
    }
    Map<String, String> device =
        like.map(TopologyElements::device)
            .filter(card -> card.is("pci"))
            .map(XmlTreeNode::attributes)
            .orElse(new TreeMap<>(CARD_DEFAULTS));
    XmlTreeNode pci = device(edit, device, place);
    XmlTreeNode card = new XmlTreeNode("nic", Map.of(), edit.location());
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("name", edit.what().value());
    attributes.put("dev", String.valueOf(next("net", "dev")));
    like.ifPresent(net -> net.attributes().forEach(attributes::putIfAbsent));
    attributes.putIfAbsent("gdr", "1");
    attributes.put("port", String.valueOf(DEFAULT_PORT));
    attributes.put("guid", freeGuid());
    XmlTreeNode net = new XmlTreeNode("net", attributes, edit.location());
    setStated(edit, net, pci);
    card.append(net);
    pci.append(card);
    place.append(pci);
  }

  private void addGpu(Edit.Add edit) {
    requireFreeName(edit, "gpu", "dev");
    XmlTreeNode place = place(edit);
    XmlTreeNode like =
        pattern(edit, "gpu").orElseThrow(() -> error(edit, "the machine has no GPU to be like"));
    XmlTreeNode pci = device(edit, TopologyElements.device(like).attributes(), place);
    Map<String, String> attributes = new LinkedHashMap<>(like.attributes());
    attributes.put("dev", edit.what().value());
    if (attributes.containsKey("rank")) {
      attributes.put("rank", String.valueOf(next("gpu", "rank")));
    }
    XmlTreeNode gpu = new XmlTreeNode("gpu", attributes, edit.location());
    // Links to switches are copied from the pattern; links to GPUs are unknown.
    like.children().stream()
        .filter(link -> !link.is("nvlink") || !isGpu(link))
        .map(link -> new XmlTreeNode(link.name(), link.attributes(), edit.location()))
        .forEach(gpu::append);
    setStated(edit, gpu, pci);
    pci.append(gpu);
    place.append(pci);
  }

  private boolean isGpu(XmlTreeNode nvlink) {
    String target = nvlink.value("target");
    return system.all("gpu").stream()
        .anyMatch(gpu -> TopologyElements.busId(gpu).equalsIgnoreCase(target));
  }

  private void addSwitch(Edit.Add edit) {
    XmlTreeNode place = place(edit);
    String busId = edit.what().value();
    boolean isTaken =
        system.all("pci").stream().anyMatch(pci -> pci.value("busid").equalsIgnoreCase(busId));
    if (!BusId.isBusId(busId) || isTaken) {
      throw error(edit, "expected a bus id that no device has");
    }
    Map<String, String> like =
        edit.like().map(selector -> finder.findOne(selector).attributes()).orElse(SWITCH_DEFAULTS);
    XmlTreeNode pci = device(edit, new TreeMap<>(like), place);
    pci.set("busid", busId, edit.location());
    setStated(edit, pci);
    place.append(pci);
  }

  private void addNvlink(Edit.Add edit) {
    String[] ends = edit.what().value().split("-", -1);
    if (ends.length != 2) {
      throw error(edit, "expected two GPUs, as in nvlink:0-3");
    }
    XmlTreeNode a = gpu(edit, ends[0]);
    XmlTreeNode b = gpu(edit, ends[1]);
    addNvlink(edit, a, b);
    addNvlink(edit, b, a);
  }

  private XmlTreeNode gpu(Edit.Add edit, String dev) {
    return finder.findOne(new Selector(Selector.Kind.GPU, dev, edit.what().location()));
  }

  private static void addNvlink(Edit.Add edit, XmlTreeNode from, XmlTreeNode to) {
    XmlTreeNode link = new XmlTreeNode("nvlink", Map.of(), edit.location());
    link.set("target", TopologyElements.busId(to));
    link.set("count", "1");
    link.set("tclass", TopologyElements.device(to).value("class"));
    setStated(edit, link);
    from.append(link);
  }

  /** The number after the largest one that elements state. */
  private int next(String element, String attribute) {
    List<XmlTreeNode> parts = system.all(element);
    int next = 0;
    for (int i = 0; i < parts.size(); i++) {
      String value = parts.get(i).value(attribute);
      next = Math.max(next, 1 + (value.matches("[0-9]{1,9}") ? Integer.parseInt(value) : i));
    }
    return next;
  }

  /** Guid that no other port has. */
  private String freeGuid() {
    Set<String> taken =
        system.all("net").stream()
            .map(net -> net.value("guid").toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet());
    return LongStream.iterate(1, guid -> guid + 1)
        .mapToObj(guid -> "0x" + Long.toHexString(guid))
        .filter(guid -> !taken.contains(guid))
        .findFirst()
        .orElseThrow();
  }

  /** Bus id on the first unused bus after that of a switch or CPU. */
  private String freeBusId(XmlTreeNode place) {
    Set<Long> taken =
        system.all("pci").stream()
            .map(pci -> pci.value("busid"))
            .filter(BusId::isBusId)
            .map(busId -> new BusId(busId).number() >> 12)
            .collect(Collectors.toSet());
    String near = place.value("busid");
    long bus = BusId.isBusId(near) ? new BusId(near).number() >> 12 : 0;
    return LongStream.rangeClosed(bus, bus + MAX_BUS)
        .map(next -> (bus & ~0xffL) | (next & 0xff))
        .filter(candidate -> !taken.contains(candidate))
        .mapToObj(candidate -> BusId.of((candidate & 0xffffff) << 12).text())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("all buses of a PCI domain are taken"));
  }
}
