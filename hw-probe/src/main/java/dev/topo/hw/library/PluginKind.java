package dev.topo.hw.library;

import dev.topo.model.Labels;
import java.util.List;

/**
 * Kinds of NCCL plugins: the setting that names one, the prefix of its file's name, and its
 * possible entry points in NCCL's order of preference ({@code nccl:src/plugin/plugin_open.cc},
 * {@code net.cc}, {@code tuner.cc}, {@code profiler.cc}, {@code env.cc}).
 */
public enum PluginKind {
  /** A network. */
  NET("NCCL_NET_PLUGIN", "libnccl-net", "ncclNetPlugin_v", List.of(11, 10, 9, 8, 7, 6)),
  /** A choice of algorithm and protocol. */
  TUNER("NCCL_TUNER_PLUGIN", "libnccl-tuner", "ncclTunerPlugin_v", List.of(5, 4, 3, 2)),
  /** A listener for NCCL's activity. */
  PROFILER("NCCL_PROFILER_PLUGIN", "libnccl-profiler", "ncclProfiler_v", List.of(5, 4, 3, 2, 1)),
  /** A source of settings. */
  ENV("NCCL_ENV_PLUGIN", "libnccl-env", "ncclEnvPlugin_v", List.of(1));

  private final String setting;
  private final String prefix;
  private final String symbol;
  private final List<Integer> versions;

  PluginKind(String setting, String prefix, String symbol, List<Integer> versions) {
    this.setting = setting;
    this.prefix = prefix;
    this.symbol = symbol;
    this.versions = versions;
  }

  public String setting() {
    return setting;
  }

  /** Name in text: {@code net}. */
  public String label() {
    return Labels.of(this);
  }

  /** File name that NCCL tries without a setting. */
  String defaultName() {
    return prefix + ".so";
  }

  /**
   * File names that NCCL tries, in order: the given name, and, if it is neither a path nor the name
   * of a library, a library name that ends with it.
   */
  List<String> fileNames(String name) {
    boolean library = name.startsWith("lib") && name.endsWith(".so");
    return name.contains("/") || library
        ? List.of(name)
        : List.of(name, prefix + "-" + name + ".so");
  }

  /** Functions that NCCL looks up, in its order. */
  List<String> symbols() {
    return versions.stream().map(version -> symbol + version).toList();
  }
}
