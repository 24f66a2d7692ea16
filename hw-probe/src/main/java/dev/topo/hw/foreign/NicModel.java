package dev.topo.hw.foreign;

import dev.topo.model.io.ResourceTable;
import java.util.List;
import java.util.Optional;

/**
 * Network card by its PCI id, from the table {@code nics.txt}.
 *
 * @param mbps speed of a port in Mb/s
 */
record NicModel(String id, String name, int mbps) {
  private static final List<NicModel> ALL =
      ResourceTable.rows(NicModel.class, "nics.txt", "card").stream()
          .map(
              row ->
                  new NicModel(
                      row.get(0), row.get(1).replace('_', ' '), Integer.parseInt(row.get(2))))
          .toList();

  /** Card with an id such as {@code 15b3:1021}. */
  static Optional<NicModel> ofId(String id) {
    return ALL.stream().filter(card -> card.id.equals(id)).findFirst();
  }
}
