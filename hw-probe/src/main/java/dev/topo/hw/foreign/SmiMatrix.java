package dev.topo.hw.foreign;

import dev.topo.model.io.Diagnostic.SourceLocation;
import java.util.List;
import java.util.Map;

/**
 * The table of {@code nvidia-smi topo -m}: how every two GPUs and NICs are connected.
 *
 * @param names GPUs, then NICs, in the order of the columns
 * @param rows where each row is
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
  SmiMatrix {
    names = List.copyOf(names);
  }

  String cell(String from, String to) {
    return cells.getOrDefault(from, Map.of()).getOrDefault(to, "");
  }

  /** Where the row of a name is. */
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
