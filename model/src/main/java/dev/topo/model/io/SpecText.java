package dev.topo.model.io;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A text that names what a question states, and is shown to users of the library as well as on a
 * command line, where an option states it.
 *
 * @param pattern as of {@link String#format}
 * @param arguments what the pattern takes: fields, texts of this kind, and any values
 */
public record SpecText(String pattern, List<Object> arguments) {
  public SpecText {
    arguments = List.copyOf(arguments);
  }

  /** {@code of("%s %d: expected 1 or more", SpecField.NODES, 0)}. */
  public static SpecText of(String pattern, @Nullable Object... arguments) {
    return new SpecText(
        pattern,
        Arrays.stream(arguments)
            .map(argument -> Objects.requireNonNullElse(argument, (Object) ""))
            .toList());
  }

  /** The same with another value in the place of one. */
  public SpecText replacing(Object argument, Object other) {
    return new SpecText(
        pattern, arguments.stream().map(one -> one.equals(argument) ? other : one).toList());
  }

  /** The text with these names of the fields. */
  public String with(Function<SpecField, String> names) {
    Object[] worded =
        arguments.stream()
            .map(
                argument ->
                    argument instanceof SpecField field
                        ? names.apply(field)
                        : argument instanceof SpecText text ? text.with(names) : argument)
            .toArray();
    return String.format(Locale.ROOT, pattern, worded);
  }

  /** The text with the labels of the fields: {@code nodes 0: expected 1 or more}. */
  @Override
  public String toString() {
    return with(SpecField::label);
  }
}
