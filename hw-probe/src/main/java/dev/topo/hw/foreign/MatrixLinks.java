package dev.topo.hw.foreign;

import dev.topo.model.io.TopologyFormatException;
import java.util.List;
import java.util.Optional;

/** NVLinks of a matrix, compared with those of a GPU model. */
record MatrixLinks(SmiMatrix matrix, Assumption assumption) {
  /**
   * Checks that the GPUs can have these links. More links to all peers together than a GPU has mean
   * NVSwitches, which reach every GPU with NVLinks.
   *
   * @throws TopologyFormatException if the links are impossible
   */
  void check() {
    int most = assumption.maxLinks();
    for (String gpu : matrix.gpus()) {
      for (String other : matrix.gpus()) {
        if (count(gpu, other) > most) {
          throw refused(
              gpu,
              other,
              most == 0
                  ? "no NVLink, a %s has none".formatted(assumption.gpu())
                  : "at most NV%s, the NVLinks of a %s".formatted(most, assumption.gpu()));
        }
      }
    }
    matrix.gpus().stream()
        .filter(gpu -> total(gpu) > most)
        .findFirst()
        .ifPresent(this::requireSwitched);
  }

  private void requireSwitched(String first) {
    List<String> linked = matrix.gpus().stream().filter(gpu -> total(gpu) > 0).toList();
    for (String gpu : linked) {
      Optional<String> other =
          linked.stream().filter(peer -> !peer.equals(gpu) && count(gpu, peer) == 0).findFirst();
      if (other.isPresent()) {
        throw refused(
            gpu,
            other.get(),
            "NV# to every GPU with NVLinks, as with NVSwitches: row %s has %s NVLinks and a %s %s"
                .formatted(first, total(first), assumption.gpu(), assumption.maxLinks()));
      }
    }
  }

  private TopologyFormatException refused(String row, String column, String expected) {
    return new TopologyFormatException(
        matrix.row(row),
        "row %s, column %s: '%s', expected %s"
            .formatted(row, column, matrix.cell(row, column), expected));
  }

  private int total(String gpu) {
    return matrix.gpus().stream().mapToInt(other -> count(gpu, other)).sum();
  }

  private int count(String row, String column) {
    String cell = matrix.cell(row, column);
    return cell.startsWith("NV") ? Integer.parseInt(cell.substring(2)) : 0;
  }
}
