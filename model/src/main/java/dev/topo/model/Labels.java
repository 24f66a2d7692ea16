package dev.topo.model;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Labels of enum constants in options and outputs. */
public final class Labels {
  private Labels() {}

  /** The name of a constant in lower case with hyphens: {@code host-shared}. */
  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The value with exactly the label {@code wanted}. */
  public static <E> Optional<E> exact(E[] values, Function<E, String> label, String wanted) {
    return Arrays.stream(values).filter(value -> label.apply(value).equals(wanted)).findFirst();
  }

  /** The value with the label {@code wanted}, ignoring case. */
  public static <E> Optional<E> find(E[] values, Function<E, String> label, String wanted) {
    return Arrays.stream(values)
        .filter(value -> label.apply(value).equalsIgnoreCase(wanted))
        .findFirst();
  }
}
