package dev.topo.simulator.diagnosis;

import dev.topo.model.io.ResourceTable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Usual layout of the nodes that have a given kind of GPU.
 *
 * @param words words that the GPU name must contain, all of them
 * @param sm compute capability
 * @param gpus GPUs of a node
 * @param perSwitch GPUs at each PCIe switch
 * @param nvlinks NVLinks of each GPU to NVSwitches; 0 if there are none
 * @param gigatransfers speed of a PCIe lane in GT/s, as NCCL's XML has it
 * @param ports network ports of a node
 * @param portGbps speed of a port in Gb/s
 * @param cpu kind of CPU
 */
record Board(
    List<String> words,
    int sm,
    int gpus,
    int perSwitch,
    int nvlinks,
    String gigatransfers,
    int ports,
    int portGbps,
    String cpu) {
  /** Largest number of GPUs in PCIe machines with expansion boxes. */
  private static final int MOST_PCIE_GPUS = 16;

  private static final List<Board> TABLE =
      ResourceTable.lines(Board.class, "boards.txt").stream().map(Board::parse).toList();

  Board {
    words = List.copyOf(words);
  }

  private static Board parse(String line) {
    String[] cells = line.strip().split(" +");
    return new Board(
        Arrays.asList(cells[0].split("\\+")),
        Integer.parseInt(cells[1]),
        Integer.parseInt(cells[2]),
        Integer.parseInt(cells[3]),
        Integer.parseInt(cells[4]),
        cells[5],
        Integer.parseInt(cells[6]),
        Integer.parseInt(cells[7]),
        cells[8]);
  }

  /**
   * Largest number of GPUs in such a node; a node without NVLink may have more than the usual
   * number.
   */
  int mostGpus() {
    return nvlinks > 0 ? gpus : Math.max(gpus, MOST_PCIE_GPUS);
  }

  /** Finds the layout for a GPU name; empty if unknown. */
  static Optional<Board> of(String gpuName) {
    String name = gpuName.toUpperCase(Locale.ROOT);
    return TABLE.stream()
        .filter(
            board ->
                board.words.stream().allMatch(word -> name.contains(word.toUpperCase(Locale.ROOT))))
        .findFirst();
  }
}
