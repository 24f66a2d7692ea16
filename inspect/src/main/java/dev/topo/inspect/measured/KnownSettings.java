package dev.topo.inspect.measured;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingCatalog;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Protocol;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Extracts what the environment of a run says about NCCL's decisions. */
final class KnownSettings {
  private static final String ALGORITHM = "NCCL_ALGO";
  private static final String PROTOCOL = "NCCL_PROTO";

  private KnownSettings() {}

  /**
   * Returns the settings that the model covers. Drops a forced pair of algorithm and protocol,
   * which measurements state themselves.
   */
  static NcclSettings of(Map<String, String> environment) {
    Map<String, String> known = new TreeMap<>(environment);
    known
        .keySet()
        .removeIf(
            name ->
                SettingCatalog.find(name)
                    .filter(setting -> setting.scope().isModelled())
                    .isEmpty());
    if (forced(environment).isPresent()) {
      known.remove(ALGORITHM);
      known.remove(PROTOCOL);
    }
    return NcclSettings.of(known);
  }

  /** Algorithm and protocol that a run was forced to use; empty if NCCL had a choice. */
  static Optional<Pair> forced(Map<String, String> environment) {
    Optional<Algorithm> algorithm =
        Optional.ofNullable(environment.get(ALGORITHM)).flatMap(Algorithm::ofLabel);
    Optional<Protocol> protocol =
        Optional.ofNullable(environment.get(PROTOCOL)).flatMap(Protocol::ofLabel);
    return algorithm.isPresent() && protocol.isPresent()
        ? Optional.of(new Pair(algorithm.get(), protocol.get()))
        : Optional.empty();
  }
}
