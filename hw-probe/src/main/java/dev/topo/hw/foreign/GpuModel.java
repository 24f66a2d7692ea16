package dev.topo.hw.foreign;

import dev.topo.hw.probe.SystemAssembler;
import dev.topo.model.Labels;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.ResourceTable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * GPU model with the properties that NCCL uses, from the table {@code gpus.txt}.
 *
 * @param sm compute capability, {@code 90} for 9.0
 * @param switchLinks NVLinks to NVSwitches
 * @param bridgeLinks NVLinks to a neighbour over a bridge
 * @param gdr whether network cards may access its memory
 * @param c2cMBps bandwidth to a CPU over NVLink-C2C in MB/s; 0 without C2C
 */
record GpuModel(String name, int sm, int switchLinks, int bridgeLinks, boolean gdr, int c2cMBps) {
  private static final List<GpuModel> ALL =
      ResourceTable.rows(SystemAssembler.class, "gpus.txt", "model").stream()
          .map(
              row ->
                  new GpuModel(
                      row.get(0),
                      Integer.parseInt(row.get(1)),
                      Integer.parseInt(row.get(2)),
                      Integer.parseInt(row.get(3)),
                      row.get(4).equals("yes"),
                      Integer.parseInt(row.get(5))))
          .toList();

  static Optional<GpuModel> ofWord(String word) {
    return ALL.stream().filter(model -> model.name.equalsIgnoreCase(word)).findFirst();
  }

  /** Finds the model in a product name, which may contain blanks: {@code RTX 3090}. */
  static Optional<GpuModel> ofProduct(String product) {
    return ALL.stream()
        .filter(
            model ->
                Pattern.compile(
                        "(?<![A-Z0-9])"
                            + model
                                .name
                                .replaceFirst("RTX", "RTX[ -]*")
                                .replaceFirst("PRO", "PRO[ -]*")
                            + "(?![A-Z0-9])")
                    .matcher(product.toUpperCase(Locale.ROOT))
                    .find())
        .findFirst();
  }

  /** All model names that an assumption may contain. */
  static String labels() {
    return QuantityFormat.joined(", ", ALL, model -> model.name.toLowerCase(Locale.ROOT));
  }

  NvlinkWiring usualWiring() {
    return switchLinks > 0 ? NvlinkWiring.NVSWITCH : NvlinkWiring.NONE;
  }

  /** Number of NVLinks of a GPU in a wiring; 0 if there is no such product. */
  int links(NvlinkWiring wiring) {
    return switch (wiring) {
      case NONE -> 0;
      case NVSWITCH -> switchLinks;
      case PAIRS -> bridgeLinks;
    };
  }

  @Override
  public String toString() {
    return name;
  }

  /** NVLink wirings of the GPUs of a machine. */
  enum NvlinkWiring {
    /** No NVLinks. */
    NONE,
    /** All links to NVSwitches, which NCCL treats as one. */
    NVSWITCH,
    /** Bridges between neighbours: 0 and 1, 2 and 3. */
    PAIRS;

    /** Name in an assumption. */
    String word() {
      return Labels.of(this);
    }

    static Optional<NvlinkWiring> ofWord(String word) {
      return Labels.exact(values(), NvlinkWiring::word, word);
    }

    static String labels() {
      return Arrays.stream(values()).map(NvlinkWiring::word).collect(Collectors.joining(", "));
    }
  }
}
