package dev.topo.hw.foreign;

import dev.topo.model.io.Diagnostic.SourceLocation;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Table of {@code nvidia-smi topo -m}: connections between GPUs and NICs.
 *
 * @param names GPUs, then NICs, in the order of the columns
 * @param rows location of each row
 * @param cells type of connection by row and column, the same in both directions: {@code NV18},
 *     {@code PIX}
 * @param ports device of a NIC by its name in the table: {@code NIC0} is {@code mlx5_0}
 * @param cpus mask of the CPUs of each GPU, as in sysfs; empty if the table has none
 * @param numaNodes NUMA node of each GPU; empty if the table has none
 */
record SmiMatrix(
    List<String> names,
    Map<String, SourceLocation> rows,
    Map<String, Map<String, String>> cells,
    Map<String, String> ports,
    Map<String, String> cpus,
    Map<String, String> numaNodes) {
  /** Answers in the P2P table: access, and nvidia-smi's reasons for no access. */
  static final Set<String> ACCESS = Set.of("OK", "CNS", "GNS", "TNS", "NS", "DR", "U");

  SmiMatrix {
    names = List.copyOf(names);
  }

  String cell(String from, String to) {
    return cells.getOrDefault(from, Map.of()).getOrDefault(to, "");
  }

  /** True for the table of {@code nvidia-smi topo -p2p r}: the driver's answers. */
  boolean isAccess() {
    return cells.values().stream()
        .anyMatch(row -> row.values().stream().anyMatch(ACCESS::contains));
  }

  /** True if a GPU may access the memory of another, by number. */
  boolean mayAccess(int from, int to) {
    return Set.of("X", "OK").contains(cell("GPU" + from, "GPU" + to));
  }

  /** Location of the row of a name. */
  SourceLocation row(String name) {
    return rows.getOrDefault(name, SourceLocation.of("matrix"));
  }

  static boolean isGpu(String name) {
    return name.startsWith("GPU");
  }

  List<String> gpus() {
    return names.stream().filter(SmiMatrix::isGpu).toList();
  }
}
