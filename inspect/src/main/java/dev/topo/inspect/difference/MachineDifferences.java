package dev.topo.inspect.difference;

import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The individual differences between two machines: those of structure first, then attributes, links
 * and numbers, in the order of the first file. Bus ids, host hashes and the order of devices in a
 * file do not count. Similar devices are matched by bus id or by number, whichever gives fewer
 * differences. Two machines have a difference exactly if their {@link CanonicalForm}s differ.
 *
 * @param list the differences, with equal ones merged
 */
public record MachineDifferences(List<Difference> list) {
  public MachineDifferences {
    list = List.copyOf(list);
  }

  /**
   * Differences of two machines, as changes of the first that lead to the second.
   *
   * @param systemA {@code <system>} element of the first file
   * @param systemB {@code <system>} element of the second file
   * @throws dev.topo.model.io.TopologyFormatException if one has far more elements than any machine
   */
  public static MachineDifferences of(XmlElement systemA, XmlElement systemB) {
    if (CanonicalForm.of(systemA).equals(CanonicalForm.of(systemB))) {
      return new MachineDifferences(List.of());
    }
    MachineTree a = new MachineTree(systemA);
    MachineTree b = new MachineTree(systemB);
    List<Difference> byBusIds = list(new Alignment(a, b, true));
    List<Difference> byNumbers = list(new Alignment(a, b, false));
    List<Difference> fewer = byNumbers.size() < byBusIds.size() ? byNumbers : byBusIds;
    return new MachineDifferences(fewer.isEmpty() ? List.of(unnamed(a, b)) : fewer);
  }

  /** The difference of two machines whose forms differ in something that has no name. */
  private static Difference unnamed(MachineTree a, MachineTree b) {
    Difference.Place whole =
        new Difference.Place(
            a.name(a.root()),
            Optional.of(a.root().element().location()),
            Optional.of(b.root().element().location()));
    return new Difference(
        Difference.Kind.LINKS,
        List.of(whole),
        "arrangement",
        "",
        "",
        "devices are on other hosts, or links lead to devices that are not in the file",
        new TreeEdit());
  }

  private static List<Difference> list(Alignment alignment) {
    BranchCopier transplant = new BranchCopier(alignment);
    List<Difference> list = new ArrayList<>();
    list.addAll(new StructureDifferences(alignment, transplant).list());
    NumberDifferences numbers = new NumberDifferences(alignment);
    list.addAll(new AttributeDifferences(alignment, numbers.portsAreNumberedOtherwise()).list());
    list.addAll(new LinkDifferences(alignment, transplant).list());
    list.addAll(numbers.list());
    return list;
  }
}
