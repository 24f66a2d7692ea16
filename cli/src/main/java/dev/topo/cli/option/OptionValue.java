package dev.topo.cli.option;

import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Operation;
import dev.topo.search.rules.ReleaseRules.CoveredReleases;
import dev.topo.simulator.network.NetworkFile;
import dev.topo.visualizer.view.OptionWords;
import java.util.Arrays;
import java.util.Iterator;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads values of options; a wrong one is a usage error that lists what is expected. */
public final class OptionValue {
  private OptionValue() {}

  /**
   * The value with a label, in any case.
   *
   * @param more what the option takes besides the labels, as in {@code ", or each"}; for the
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
                            Arrays.stream(values).map(label).collect(Collectors.joining(", ")),
                            more)));
  }

  /**
   * A value that a library makes of an option; what it rejects is a usage error that begins like
   * this.
   */
  public static <T> T accepted(String begin, Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      throw new SettingException(begin + OptionWords.messageOf(e), e);
    }
  }

  /**
   * Names that shells offer after options that take one: their type alone does not tell it, as they
   * take lists, releases in between or files as well.
   */
  static final class OfferedValues {
    private OfferedValues() {}

    /** After {@code --collective}: what the help names, which leaves out the hypercube. */
    static final class Collectives implements Iterable<String> {
      @Override
      public Iterator<String> iterator() {
        return Stream.concat(
                Operation.all().stream().filter(Operation::isOneCall).map(Operation::ncclTestsName),
                Stream.of("all"))
            .iterator();
      }
    }

    /** After {@code --nccl}: the releases that have rules, and the word that shows all. */
    static final class Releases implements Iterable<String> {
      @Override
      public Iterator<String> iterator() {
        return Stream.concat(
                CoveredReleases.all().stream().map(CoveredReleases::version), Stream.of("list"))
            .iterator();
      }
    }

    /** After {@code --network}, beside files; the word shows all. */
    static final class Networks implements Iterable<String> {
      @Override
      public Iterator<String> iterator() {
        return Stream.concat(NetworkFile.SHIPPED.stream(), Stream.of("list")).iterator();
      }
    }
  }
}
