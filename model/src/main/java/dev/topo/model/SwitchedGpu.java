package dev.topo.model;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.io.ResourceTable;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A GPU model that always has NVLinks through NVSwitch, from the table {@code switched-gpus.txt}.
 *
 * @param model its name in assumptions: {@code H100}
 * @param isCertain whether every GPU with the same attributes is of such a model; otherwise cards
 *     without NVLink exist
 */
public record SwitchedGpu(String model, boolean isCertain) {
  private static final Map<String, String> BY_DEVICE = table("device");
  private static final Map<String, String> BY_SM = table("sm");
  private static final Map<String, String> UNNAMED = table("unnamed");

  /** Placeholders for an unknown device id in a file. */
  private static final Set<String> UNKNOWN_DEVICE = Set.of("", "0x0000", "0xffff");

  private static Map<String, String> table(String kind) {
    return ResourceTable.rows(SwitchedGpu.class, "switched-gpus.txt", kind).stream()
        .collect(Collectors.toUnmodifiableMap(row -> row.get(0), row -> row.get(1)));
  }

  /**
   * The model of a device id whose boards always have NVLinks; empty for others.
   *
   * @param device as in {@link GpuNode#device}
   */
  public static Optional<String> modelOf(String device) {
    return Optional.ofNullable(BY_DEVICE.get(device));
  }

  /**
   * The model that a topology file describes; empty if it may have no NVLinks.
   *
   * @param device the attribute {@code device} of its {@code <pci>}, empty without one
   * @param sm the attribute {@code sm} of its {@code <gpu>}, empty without one
   */
  public static Optional<SwitchedGpu> of(String device, String sm) {
    String model = BY_DEVICE.getOrDefault(device, BY_SM.get(sm));
    if (model != null) {
      return Optional.of(new SwitchedGpu(model, true));
    }
    return UNKNOWN_DEVICE.contains(device)
        ? Optional.ofNullable(UNNAMED.get(sm)).map(usual -> new SwitchedGpu(usual, false))
        : Optional.empty();
  }
}
