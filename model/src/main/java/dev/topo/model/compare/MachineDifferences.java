package dev.topo.model.compare;

import dev.topo.model.xml.XmlElement;
import java.util.ArrayList;
import java.util.List;

/**
 * The differences of two machines, each by itself: those of structure first, then attributes, links
 * and numbers, in the order of the first file. Bus ids, host hashes and the order in which a file
 * lists devices are none. Two machines have a difference exactly if their {@link CanonicalForm}s
 * differ.
 *
 * @param list the differences, alike ones as one
 */
public record MachineDifferences(List<Difference> list) {
  /** Copies the list. */
  public MachineDifferences {
    list = List.copyOf(list);
  }

  /**
   * The differences of two machines, as what has to be done to the first to have the second.
   *
   * @param systemA the {@code <system>} of the first file
   * @param systemB that of the second
   * @throws dev.topo.model.diagnostic.TopologyFormatException if one has far more elements than a
   *     machine
   */
  public static MachineDifferences of(XmlElement systemA, XmlElement systemB) {
    if (CanonicalForm.of(systemA).equals(CanonicalForm.of(systemB))) {
      return new MachineDifferences(List.of());
    }
    Alignment alignment = new Alignment(new MachineTree(systemA), new MachineTree(systemB));
    Transplant transplant = new Transplant(alignment);
    List<Difference> list = new ArrayList<>();
    list.addAll(new StructureDifferences(alignment, transplant).list());
    list.addAll(new AttributeDifferences(alignment).list());
    list.addAll(new LinkDifferences(alignment, transplant).list());
    list.addAll(new NumberDifferences(alignment).list());
    return new MachineDifferences(list);
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return list.isEmpty();
  }
}
