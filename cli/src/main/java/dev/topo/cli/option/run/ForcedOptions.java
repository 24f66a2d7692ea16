package dev.topo.cli.option.run;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import dev.topo.model.settings.SettingException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Settings that NCCL runs under, and what it is forced to. */
public final class ForcedOptions {
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

  /** Names and values for the environment of NCCL. */
  public Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>(added.values());
    if (algorithm != null) {
      String text = algorithm;
      String label =
          Algorithm.ofLabel(text)
              .map(Algorithm::label)
              .orElseThrow(() -> unknown("--algorithm", text, algorithms()));
      variables.put("NCCL_ALGO", label);
    }
    if (protocol != null) {
      String text = protocol;
      String label =
          Protocol.ofLabel(text)
              .map(Protocol::label)
              .orElseThrow(() -> unknown("--protocol", text, "LL, LL128, Simple"));
      variables.put("NCCL_PROTO", label);
    }
    if (channels != null) {
      if (channels < 1) {
        throw new SettingException("--channels " + channels + ": expected 1 or more");
      }
      variables.put("NCCL_MIN_NCHANNELS", channels.toString());
      variables.put("NCCL_MAX_NCHANNELS", channels.toString());
    }
    return variables;
  }

  private static String algorithms() {
    return Arrays.stream(Algorithm.values())
        .map(Algorithm::label)
        .collect(Collectors.joining(", "));
  }

  private static SettingException unknown(String option, String value, String expected) {
    return new SettingException(option + " " + value + ": expected one of " + expected);
  }
}
