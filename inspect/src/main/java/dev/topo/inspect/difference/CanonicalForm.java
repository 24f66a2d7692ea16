package dev.topo.inspect.difference;

import dev.topo.inspect.difference.MachineTree.Link;
import dev.topo.model.QuantityFormat;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Form of a machine without the properties that may differ between equal machines: bus ids, host
 * hashes, card ids and the order in which a file lists devices. Device numbers and ranks of GPUs
 * and device numbers of ports count by their order, since NCCL's answer depends on it; shared cards
 * and targets of links count, but not the ids that express them.
 *
 * @param hash SHA-256 of the form in hexadecimal: equal for equal machines only
 */
record CanonicalForm(String hash) {
  /**
   * Form of a machine. Ignores comments but not attributes and elements unknown to NCCL.
   *
   * @param system {@code <system>} element of its file
   * @throws dev.topo.model.io.TopologyFormatException if it has far more elements than any machine
   */
  static CanonicalForm of(XmlElement system) {
    String text = new Writer(new MachineTree(system)).text();
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return new CanonicalForm(HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * Writes the form as text: for each part its properties, then its children, sorted by their
   * texts.
   */
  static final class Writer {
    private final MachineTree tree;
    private final Map<String, Integer> hosts;

    Writer(MachineTree tree) {
      this.tree = tree;
      this.hosts = tree.hosts();
    }

    String text() {
      return text(tree.root());
    }

    private String text(MachinePart part) {
      Map<String, String> facts = new TreeMap<>(part.attributes());
      switch (part.kind()) {
        case CPU -> facts.put("#host", String.valueOf(hosts.get(MachineTree.host(part))));
        case GPU -> facts.put("#number", tree.number(part) + "/" + tree.rank(part));
        case PORT -> facts.put("#number", tree.number(part) + "/" + tree.card(part));
        default -> {}
      }
      Map<String, Integer> counts = new TreeMap<>();
      tree.links(part).forEach(link -> counts.merge(target(link), link.count(), Integer::sum));
      if (!counts.isEmpty()) {
        facts.put("#links", counts.toString());
      }
      List<String> children = part.children().stream().map(this::text).sorted().toList();
      // An attribute's value can hold any characters, and a quotation mark in it would be
      // ambiguous.
      String written =
          QuantityFormat.joined(
              " ",
              facts.entrySet(),
              fact -> fact.getKey() + "=\"" + fact.getValue().replace("\"", "&quot;") + "\"");
      return part.element().name() + "[" + written + "]" + children;
    }

    private String target(Link link) {
      return link.target().map(this::name).orElse(link.targetKind());
    }

    /** Name of a PCI device by its function and the parts below it. */
    private String name(MachinePart pci) {
      return pci.all().stream()
          .filter(part -> part.kind() == PartKind.GPU || part.kind() == PartKind.PORT)
          .map(part -> part.kind() + " " + tree.number(part) + "/" + tree.rank(part))
          .sorted()
          .collect(Collectors.joining(",", "{", "}"));
    }
  }
}
