package dev.topo.model;

import dev.topo.model.io.ResourceTable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A named CPU from the table {@code cpus.txt}. NCCL distinguishes only the generations of {@link
 * CpuModel}.
 *
 * @param word its name in edits and assumptions: {@code intel-skylake}
 * @param attributes the attributes of a {@code <cpu>} element that NCCL writes for it: instruction
 *     set, vendor, family and model
 */
public record CpuPreset(String word, Map<String, String> attributes) {
  private static final List<CpuPreset> ALL =
      ResourceTable.rows(CpuPreset.class, "cpus.txt", "cpu").stream().map(CpuPreset::of).toList();

  private static CpuPreset of(List<String> row) {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("arch", row.get(1));
    if (row.size() > 2) {
      attributes.put("vendor", row.get(2).replace('_', ' '));
      attributes.put("familyid", String.valueOf(Integer.decode(row.get(3))));
      attributes.put("modelid", String.valueOf(Integer.decode(row.get(4))));
    }
    return new CpuPreset(row.get(0), Collections.unmodifiableMap(attributes));
  }

  /** All presets of the table. */
  public static List<CpuPreset> all() {
    return ALL;
  }

  public static Optional<CpuPreset> ofWord(String word) {
    return ALL.stream().filter(preset -> preset.word.equals(word)).findFirst();
  }

  public static String names() {
    return QuantityFormat.joined(", ", ALL, CpuPreset::word);
  }
}
