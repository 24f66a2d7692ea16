package dev.topo.cli.option;

import dev.topo.model.job.SettingException;
import dev.topo.visualizer.view.OptionWords;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

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

  /** What a library makes of an option; what it rejects is a usage error that begins like this. */
  public static <T> T accepted(String begin, Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      throw new SettingException(begin + OptionWords.messageOf(e), e);
    }
  }
}
