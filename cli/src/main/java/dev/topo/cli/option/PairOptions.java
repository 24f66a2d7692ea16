package dev.topo.cli.option;

import dev.topo.inspect.measured.Measurement.Pair;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.evaluate.PairSelection;
import java.util.Optional;
import java.util.function.Function;
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
        one("--algorithm", algorithm, Algorithm.values(), Algorithm::label),
        one("--protocol", protocol, Protocol.values(), Protocol::label),
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

  private static <E> Optional<E> one(
      String option, @Nullable String text, E[] values, Function<E, String> label) {
    return Optional.ofNullable(text)
        .filter(name -> !EACH.equalsIgnoreCase(name))
        .map(name -> OptionValue.ofLabel(option, name, values, label, ", or each"));
  }
}
