package dev.topo.model.operation;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;

/** Finds an enum value by its label. */
final class Labels {
  private Labels() {}

  /** The value with the label {@code wanted}, ignoring case. */
  static <E> Optional<E> find(E[] values, Function<E, String> label, String wanted) {
    return Arrays.stream(values)
        .filter(value -> label.apply(value).equalsIgnoreCase(wanted))
        .findFirst();
  }
}
