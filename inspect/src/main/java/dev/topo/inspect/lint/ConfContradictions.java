package dev.topo.inspect.lint;

import dev.topo.model.ComputeCapability;
import dev.topo.model.xml.PciClass;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Settings that contradict each other or the machine. */
record ConfContradictions(Function<String, Optional<String>> values, Report report) {
  private static final String[][] MIN_AND_MAX = {
    {"NCCL_MIN_NCHANNELS", "NCCL_MAX_NCHANNELS"},
    {"NCCL_MIN_CTAS", "NCCL_MAX_CTAS"},
    {"NCCL_MIN_P2P_NCHANNELS", "NCCL_MAX_P2P_NCHANNELS"},
    {"NCCL_MIN_NRINGS", "NCCL_MAX_NRINGS"}
  };

  /** Settings that disable others: the name, the disabling value, and the disabled settings. */
  private static final String[][] DISABLED = {
    {"NCCL_IB_DISABLE", "1", "NCCL_IB_HCA NCCL_IB_GID_INDEX NCCL_IB_TC NCCL_NET_GDR_LEVEL"},
    {"NCCL_NET", "socket", "NCCL_IB_HCA NCCL_IB_GID_INDEX NCCL_IB_TC NCCL_NET_GDR_LEVEL"},
    {"NCCL_P2P_DISABLE", "1", "NCCL_P2P_LEVEL NCCL_P2P_DIRECT_DISABLE"},
    {"NCCL_RAS_ENABLE", "0", "NCCL_RAS_ADDR NCCL_RAS_TIMEOUT_FACTOR"},
    {"NCCL_NVLS_ENABLE", "0", "NCCL_NVLS_NCHANNELS NCCL_NVLS_CHUNKSIZE"},
    {"NCCL_COLLNET_ENABLE", "0", "NCCL_COLLNET_NODE_THRESHOLD"}
  };

  /** Receives the findings. */
  @FunctionalInterface
  interface Report {
    /** Adds a finding at the line that sets a name. */
    void add(LintRule rule, String name, String message);
  }

  static void check(
      Function<String, Optional<String>> values, Optional<TopologyIndex> machine, Report report) {
    ConfContradictions check = new ConfContradictions(values, report);
    check.minAndMax();
    check.disabledSettings();
    check.algorithms();
    machine.ifPresent(check::machine);
  }

  private String value(String name) {
    return values.apply(name).orElse("").toLowerCase(Locale.ROOT);
  }

  private void contradicts(String name, String message) {
    report.add(LintRule.CONF_CONTRADICTION, name, message);
  }

  private void minAndMax() {
    for (String[] pair : MIN_AND_MAX) {
      if (values.apply(pair[0]).isPresent() && values.apply(pair[1]).isPresent()) {
        int min = CNumber.parse(value(pair[0])).value();
        int max = CNumber.parse(value(pair[1])).value();
        if (min > max) {
          contradicts(pair[0], "is more than " + pair[1] + "=" + max);
        }
      }
    }
  }

  private void disabledSettings() {
    for (String[] row : DISABLED) {
      if (value(row[0]).equals(row[1])) {
        for (String name : row[2].split(" ", -1)) {
          if (values.apply(name).isPresent()) {
            contradicts(name, "has no effect beside " + row[0] + "=" + row[1]);
          }
        }
      }
    }
  }

  private void algorithms() {
    String algorithms = value("NCCL_ALGO");
    if (algorithms.startsWith("nvls") && value("NCCL_NVLS_ENABLE").equals("0")) {
      contradicts("NCCL_ALGO", "requests what NCCL_NVLS_ENABLE=0 disables");
    }
    if (algorithms.startsWith("collnet") && !value("NCCL_COLLNET_ENABLE").equals("1")) {
      contradicts("NCCL_ALGO", "needs NCCL_COLLNET_ENABLE=1, it is 0 by default");
    }
  }

  private void machine(TopologyIndex machine) {
    List<LintElement> nvlinks =
        machine.gpus().stream().flatMap(gpu -> gpu.element().elements("nvlink").stream()).toList();
    boolean hasNvSwitch =
        nvlinks.stream()
            .map(link -> link.value("tclass").orElse("0x068000"))
            .anyMatch(code -> PciClass.of(code) == PciClass.NVSWITCH);
    boolean isHopper =
        machine.gpus().stream().allMatch(gpu -> gpu.number("sm", 0) >= ComputeCapability.HOPPER);
    boolean hasNvls = hasNvSwitch && isHopper;
    String noNvls = "but the machine has no NVSwitch with multicast";
    if (!hasNvls && value("NCCL_NVLS_ENABLE").equals("1")) {
      report.add(LintRule.CONF_TOPOLOGY, "NCCL_NVLS_ENABLE", noNvls);
    }
    if (!hasNvls && value("NCCL_ALGO").startsWith("nvls")) {
      report.add(LintRule.CONF_TOPOLOGY, "NCCL_ALGO", noNvls);
    }
    if (nvlinks.isEmpty() && value("NCCL_P2P_LEVEL").equals("nvl")) {
      report.add(LintRule.CONF_TOPOLOGY, "NCCL_P2P_LEVEL", "but the machine has no NVLink");
    }
    String hcas = value("NCCL_IB_HCA");
    if (hcas.isEmpty() || hcas.startsWith("^")) {
      return;
    }
    boolean isExact = hcas.startsWith("=");
    for (String hca : hcas.replaceFirst("^=", "").split(",", -1)) {
      String name = hca.replaceFirst(":.*", "");
      boolean isKnown =
          machine.nets().stream()
              .map(net -> net.element().text("name").toLowerCase(Locale.ROOT))
              .anyMatch(net -> isExact ? net.equals(name) : net.startsWith(name));
      if (!isKnown) {
        String message = "names " + name + ", the machine has no such NIC";
        report.add(LintRule.CONF_TOPOLOGY, "NCCL_IB_HCA", message);
      }
    }
  }
}
