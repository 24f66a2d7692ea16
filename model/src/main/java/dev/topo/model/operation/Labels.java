package dev.topo.model.operation;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;

/** Finds a value by the name that users and logs give it. */
final class Labels {
  private Labels() {}

  /** The value whose label this is, in any case. */
  static <E> Optional<E> find(E[] values, Function<E, String> label, String wanted) {
    return Arrays.stream(values)
        .filter(value -> label.apply(value).equalsIgnoreCase(wanted))
        .findFirst();
  }
}
