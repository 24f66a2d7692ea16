package dev.topo.cli.option.call;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import dev.topo.model.settings.SettingException;
import dev.topo.simulator.forecast.PairSelection;
import dev.topo.simulator.measured.Measurement.Pair;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for algorithm and protocol. */
public final class PairOptions {
  private static final String EACH = "each";

  @Option(
      names = "--algorithm",
      paramLabel = "NAME",
      description = "Ring, Tree, NVLS, …, or each (default: NCCL's choice).")
  private @Nullable String algorithm;

  @Option(
      names = "--protocol",
      paramLabel = "NAME",
      description = "LL, LL128, Simple, or each (default: NCCL's choice).")
  private @Nullable String protocol;

  /** Whether the user has named an algorithm or a protocol. */
  public boolean isGiven() {
    return algorithm != null || protocol != null;
  }

  /** The requested pairs. */
  public PairSelection selection() {
    return new PairSelection(
        one(
            "--algorithm",
            algorithm,
            Algorithm::ofLabel,
            Arrays.stream(Algorithm.values())
                .map(Algorithm::label)
                .collect(Collectors.joining(", "))),
        one("--protocol", protocol, Protocol::ofLabel, "LL, LL128, Simple"),
        EACH.equalsIgnoreCase(algorithm) || EACH.equalsIgnoreCase(protocol));
  }

  /** The pair of measurements whose file does not contain it: both or neither must be given. */
  public Optional<Pair> forced() {
    PairSelection selection = selection();
    Optional<Pair> pair =
        selection.algorithm().flatMap(a -> selection.protocol().map(p -> new Pair(a, p)));
    if (isGiven() && pair.isEmpty()) {
      throw new SettingException(
          "a measurement has one algorithm and one protocol, expected both --algorithm and --protocol, or neither");
    }
    return pair;
  }

  private static <T> Optional<T> one(
      String option, @Nullable String text, Function<String, Optional<T>> find, String expected) {
    if (text == null || EACH.equalsIgnoreCase(text)) {
      return Optional.empty();
    }
    Optional<T> found = find.apply(text);
    if (found.isEmpty()) {
      throw new SettingException(
          option + " " + text + ": expected one of " + expected + ", or each");
    }
    return found;
  }
}
