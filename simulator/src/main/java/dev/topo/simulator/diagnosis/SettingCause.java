package dev.topo.simulator.diagnosis;

import dev.topo.model.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Settings that restrict what NCCL uses by default. */
enum SettingCause {
  P2P_DISABLE(CauseKind.P2P_OFF, false, Set.of("1")),
  P2P_LEVEL(CauseKind.P2P_OFF, false, Set.of("LOC", "0")),
  NET(CauseKind.WRONG_NETWORK, true, Set.of("SOCKET")),
  IB_DISABLE(CauseKind.WRONG_NETWORK, true, Set.of("1")),
  NET_GDR_LEVEL(CauseKind.NO_GPUDIRECT, true, Set.of("LOC", "0")),
  NVLS_ENABLE(CauseKind.NVLS_OFF, false, Set.of("0")),
  MAX_NCHANNELS(CauseKind.FEW_CHANNELS, false, Set.of()),
  MAX_CTAS(CauseKind.FEW_CHANNELS, false, Set.of()),
  MAX_P2P_NCHANNELS(CauseKind.FEW_CHANNELS, false, Set.of()),
  BUFFSIZE(CauseKind.BUFFERS, false, Set.of()),
  LL_BUFFSIZE(CauseKind.BUFFERS, false, Set.of()),
  LL128_BUFFSIZE(CauseKind.BUFFERS, false, Set.of()),
  P2P_NVL_CHUNKSIZE(CauseKind.BUFFERS, false, Set.of()),
  P2P_PCI_CHUNKSIZE(CauseKind.BUFFERS, false, Set.of()),
  P2P_NET_CHUNKSIZE(CauseKind.BUFFERS, true, Set.of()),
  ALGO(CauseKind.FORCED_CHOICE, false, Set.of()),
  PROTO(CauseKind.FORCED_CHOICE, false, Set.of()),
  TOPO_FILE(CauseKind.WRONG_FILE, false, Set.of()),
  GRAPH_FILE(CauseKind.WRONG_FILE, false, Set.of());

  private static final String PREFIX = "NCCL_";

  private final CauseKind kind;
  private final boolean isBetweenNodes;
  private final Set<String> values;

  /**
   * Creates a setting that can be a cause.
   *
   * @param isBetweenNodes whether it matters only between nodes
   * @param values values that restrict NCCL, in upper case; empty if every value does
   */
  SettingCause(CauseKind kind, boolean isBetweenNodes, Set<String> values) {
    this.kind = kind;
    this.isBetweenNodes = isBetweenNodes;
    this.values = values;
  }

  private String setting() {
    return PREFIX + name();
  }

  /** Finds a setting by its name; empty if it restricts nothing. */
  static Optional<SettingCause> of(String name) {
    return Labels.exact(values(), SettingCause::setting, name);
  }

  /** True if a value restricts NCCL. */
  boolean restricts(String value) {
    return values.isEmpty() || values.contains(value.toUpperCase(Locale.ROOT));
  }

  /** Finds the causes among the settings of a run. */
  static List<Stated> among(Map<String, LogStatement> settings, boolean hasNetwork) {
    List<Stated> causes = new ArrayList<>();
    settings.forEach(
        (name, line) ->
            of(name)
                .filter(
                    cause ->
                        cause.restricts(line.value(1)) && (hasNetwork || !cause.isBetweenNodes))
                .ifPresent(cause -> causes.add(cause.stated(line))));
    return causes;
  }

  private Stated stated(LogStatement line) {
    boolean isFile = kind == CauseKind.WRONG_FILE;
    return new Stated(
        kind,
        setting() + "=" + line.value(1),
        List.of(line.evidence()),
        isFile ? "" : "env " + setting() + "=\"" + line.value(1) + "\"");
  }
}
