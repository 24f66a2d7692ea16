package dev.topo.hw.foreign;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.job.SpecException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Facts of an imported machine that neither its files nor the assumption state. The error suggests
 * likely values: those of NVIDIA's own machines with the same number of NVLinks.
 */
final class MissingFacts {
  private static final int NAMED_PORTS = 3;

  /** Likely values for GPUs with at least a number of NVLinks; the first match counts. */
  private record Likely(int nvlinks, String gpu, String cpu, String net) {}

  private static final List<Likely> LIKELY =
      List.of(
          new Likely(18, "h100", "intel-sapphire-rapids", "400000"), // DGX H100
          new Likely(12, "a100", "amd-rome", "200000"), // DGX A100
          new Likely(6, "v100", "intel-skylake", "100000"), // DGX-2
          new Likely(4, "a40", "amd-milan", "200000"), // bridges between two cards
          new Likely(0, "l40s", "amd-genoa", "200000")); // servers with PCIe cards

  private final String assumption;
  private final List<String> words = new ArrayList<>();
  private final List<String> values = new ArrayList<>();

  private MissingFacts(String assumption) {
    this.assumption = assumption;
  }

  /**
   * Reports all missing facts in one error if there are several; a single one is reported where it
   * is needed.
   *
   * @param product name of the GPUs in the files; empty if unknown
   * @param machine the machine in the files; empty without NICs and CPUs
   * @throws SpecException if several are missing
   */
  static void require(String assumption, String product, Optional<ForeignMachine> machine) {
    MissingFacts missing = new MissingFacts(assumption);
    int nvlinks =
        machine.stream()
            .flatMap(foreignMachine -> foreignMachine.nvlinks().values().stream())
            .mapToInt(to -> to.values().stream().mapToInt(Integer::intValue).sum())
            .max()
            .orElse(0);
    Likely likely =
        LIKELY.stream().filter(candidate -> candidate.nvlinks <= nvlinks).findFirst().orElseThrow();
    if (Assumption.modelOf(product).isEmpty()) {
      missing.add("gpu", likely.gpu, "the model of the GPUs");
    }
    boolean isCpuKnown =
        machine
            .map(
                foreignMachine ->
                    foreignMachine.cpus().stream().noneMatch(cpu -> cpu.arch().isEmpty()))
            .orElse(false);
    if (!isCpuKnown) {
      missing.add("cpu", likely.cpu, "the CPU");
    }
    List<String> ports =
        machine.stream()
            .flatMap(foreignMachine -> foreignMachine.devices().stream())
            .filter(device -> device.isNic() && NicModel.ofId(device.ids()).isEmpty())
            .map(ForeignDevice::port)
            .toList();
    if (!ports.isEmpty()) {
      missing.add("net", likely.net, "the speed of " + QuantityFormat.firstOf(ports, NAMED_PORTS));
    }
    missing.throwIfSeveral();
  }

  private void add(String key, String value, String what) {
    if (!("," + assumption).contains("," + key + "=")) {
      words.add(what);
      values.add(key + "=" + value);
    }
  }

  private void throwIfSeveral() {
    if (words.size() < 2) {
      return;
    }
    String given = assumption.isEmpty() ? "" : assumption + ",";
    throw SpecException.worded(
        SpecField.ASSUME,
        SpecText.of(
            "%s are not known: expected %s %s%s, with the values of this machine where these likely ones are not; the output of nvidia-smi -q -x has the GPUs, lstopo's XML CPU and ports",
            QuantityFormat.listed(words), SpecField.ASSUME, given, String.join(",", values)));
  }
}
