package dev.topo.cli.option;

import dev.topo.model.QuantityFormat;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Operation;
import dev.topo.search.rules.ReleaseRules.CoveredReleases;
import dev.topo.simulator.network.NetworkFile;
import dev.topo.visualizer.view.OptionWords;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Parses values of options. A wrong value is a usage error that lists the expected values. */
public final class OptionValue {
  private OptionValue() {}

  /**
   * The value with a label, ignoring case.
   *
   * @param more what the option accepts besides the labels, as in {@code ", or each"}; for the
   *     message
   */
  public static <E> E ofLabel(
      String option, String text, E[] values, Function<E, String> label, String more) {
    return Arrays.stream(values)
        .filter(value -> label.apply(value).equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(
            () ->
                new SettingException(
                    "%s %s: expected one of %s%s"
                        .formatted(
                            option,
                            text,
                            QuantityFormat.joined(", ", List.of(values), label),
                            more)));
  }

  /**
   * The number that an option states; empty without the option.
   *
   * @throws SettingException if it is below 1
   */
  public static OptionalInt positive(String option, @Nullable Integer number) {
    refuseIf(number != null && number < 1, option + " " + number + ": expected 1 or more");
    return optional(number);
  }

  /** The number that an option states; empty without the option. */
  public static OptionalInt optional(@Nullable Integer number) {
    return number == null ? OptionalInt.empty() : OptionalInt.of(number);
  }

  /** Makes options that do not fit together, or to this job, a usage error. */
  public static void refuseIf(boolean isWrong, String message) {
    if (isWrong) {
      throw new SettingException(message);
    }
  }

  /**
   * Evaluates an option with a library. What the library rejects is a usage error whose message
   * begins with {@code prefix}.
   */
  public static <T> T accepted(String prefix, Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      throw new SettingException(prefix + OptionWords.messageOf(e), e);
    }
  }

  /**
   * Names that shells offer as values of options. They cannot be derived from the types of these
   * options, which also accept lists, releases in between, or files.
   */
  static final class OfferedValues {
    private OfferedValues() {}

    /**
     * For {@code --collective}: the operations that the help names, which exclude the hypercube.
     */
    static final class Collectives implements Iterable<String> {
      @Override
      public Iterator<String> iterator() {
        return Stream.concat(
                Operation.all().stream().filter(Operation::isOneCall).map(Operation::ncclTestsName),
                Stream.of("all"))
            .iterator();
      }
    }

    /** For {@code --nccl}: the releases that have rules, and {@code list}, which shows all. */
    static final class Releases implements Iterable<String> {
      @Override
      public Iterator<String> iterator() {
        return Stream.concat(
                CoveredReleases.all().stream().map(CoveredReleases::version), Stream.of("list"))
            .iterator();
      }
    }

    /**
     * For {@code --network}: the shipped calibrations, and {@code list}, which shows all. Files are
     * accepted as well.
     */
    static final class Networks implements Iterable<String> {
      @Override
      public Iterator<String> iterator() {
        return Stream.concat(NetworkFile.SHIPPED.stream(), Stream.of("list")).iterator();
      }
    }
  }
}
