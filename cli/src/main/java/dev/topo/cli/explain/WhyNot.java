package dev.topo.cli.explain;

import dev.topo.model.collective.Algorithm;
import dev.topo.model.collective.Protocol;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.settings.SettingException;
import dev.topo.search.communicator.Communicator;
import dev.topo.search.explain.Alternatives;
import dev.topo.search.explain.ChoiceExplainer;
import dev.topo.search.explain.DeviceExplainer;
import dev.topo.search.explain.Explanation;
import dev.topo.search.tuning.CollectiveCall;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Understands the alternatives of {@code --why-not}. */
public final class WhyNot {
  private static final String EXPECTED =
      "expected algorithm=NAME, protocol=NAME, both with a comma between, channels=N, crossNic=0..2, pxn=0..1, ring=DEVS or nic=DEV:PORT";

  private final Communicator communicator;
  private final CollectiveCall call;
  private final NcclSettings settings;
  private final Alternatives alternatives;

  /** Answers for a call on a communicator with settings. */
  public WhyNot(Communicator communicator, CollectiveCall call, NcclSettings settings) {
    this.communicator = communicator;
    this.call = call;
    this.settings = settings;
    this.alternatives = new Alternatives(communicator);
  }

  /** The answer for one alternative. */
  public Explanation answer(String text) {
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw new SettingException("--why-not " + text + ": " + EXPECTED);
    }
    String key = text.substring(0, equals);
    String value = text.substring(equals + 1);
    try {
      return switch (key) {
        case "algorithm", "protocol" -> pair(text);
        case "channels" -> {
          NcclSettings.of(Map.of("NCCL_MIN_NCHANNELS", value));
          yield alternatives.setting(
              text, Map.of("NCCL_MIN_NCHANNELS", value, "NCCL_MAX_NCHANNELS", value), call);
        }
        case "crossNic" -> alternatives.setting(text, Map.of("NCCL_CROSS_NIC", value), call);
        case "pxn" ->
            alternatives.setting(
                text, Map.of("NCCL_PXN_DISABLE", value.equals("0") ? "1" : "0"), call);
        case "ring" ->
            alternatives.ring(
                Stream.of(value.split(",", -1)).map(dev -> Integer.valueOf(dev.strip())).toList());
        case "nic" -> port(text, value);
        default -> throw new SettingException("--why-not " + text + ": " + EXPECTED);
      };
    } catch (IllegalArgumentException e) {
      throw new SettingException("--why-not " + text + ": " + e.getMessage());
    }
  }

  private Explanation port(String text, String value) {
    int colon = value.indexOf(':');
    if (colon < 0) {
      throw new SettingException(
          "--why-not " + text + ": expected nic=DEV:PORT, as in nic=3:mlx5_1");
    }
    DeviceExplainer devices = new DeviceExplainer(communicator.connection().domain(0), settings);
    return alternatives.port(
        devices, Integer.parseInt(value.substring(0, colon)), value.substring(colon + 1));
  }

  private Explanation pair(String text) {
    Map<String, String> parts = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      parts.put(
          equals < 0 ? part : part.substring(0, equals),
          equals < 0 ? "" : part.substring(equals + 1));
    }
    Optional<Protocol> protocol =
        Optional.ofNullable(parts.get("protocol"))
            .map(
                name ->
                    Protocol.ofLabel(name)
                        .orElseThrow(() -> unknown(text, List.of(Protocol.values()))));
    ChoiceExplainer choices = new ChoiceExplainer(communicator);
    String algorithm = parts.get("algorithm");
    if (algorithm != null) {
      return choices.whyNot(
          call,
          Algorithm.ofLabel(algorithm)
              .orElseThrow(() -> unknown(text, List.of(Algorithm.values()))),
          protocol);
    }
    Algorithm chosen =
        communicator
            .tuner()
            .decide(call)
            .choice()
            .map(choice -> choice.algorithm())
            .orElse(Algorithm.RING);
    return choices.whyNot(call, chosen, protocol);
  }

  private static SettingException unknown(String text, List<?> expected) {
    return new SettingException("--why-not " + text + ": expected one of " + expected);
  }
}
