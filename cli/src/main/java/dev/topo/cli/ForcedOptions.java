package dev.topo.cli;

import dev.topo.cli.option.AddedSettings;
import dev.topo.cli.option.OptionValue;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for NCCL's settings, and for a forced algorithm, protocol and number of channels. */
final class ForcedOptions {
  @Mixin private AddedSettings added = new AddedSettings();

  @Option(
      names = "--algorithm",
      paramLabel = "NAME",
      description = "Force an algorithm: Ring, Tree, … (NCCL_ALGO).")
  private @Nullable String algorithm;

  @Option(
      names = "--protocol",
      paramLabel = "NAME",
      description = "Force a protocol: LL, LL128 or Simple (NCCL_PROTO).")
  private @Nullable String protocol;

  @Option(
      names = "--channels",
      paramLabel = "N",
      description = "Force the number of channels (NCCL_MIN_NCHANNELS, NCCL_MAX_NCHANNELS).")
  private @Nullable Integer channels;

  /** The environment variables for NCCL, by name. */
  Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>(added.values());
    if (algorithm != null) {
      variables.put(
          "NCCL_ALGO",
          OptionValue.ofLabel("--algorithm", algorithm, Algorithm.values(), Algorithm::label, "")
              .label());
    }
    if (protocol != null) {
      variables.put(
          "NCCL_PROTO",
          OptionValue.ofLabel("--protocol", protocol, Protocol.values(), Protocol::label, "")
              .label());
    }
    if (channels != null) {
      OptionValue.positive("--channels", channels);
      variables.put("NCCL_MIN_NCHANNELS", channels.toString());
      variables.put("NCCL_MAX_NCHANNELS", channels.toString());
    }
    return variables;
  }
}
