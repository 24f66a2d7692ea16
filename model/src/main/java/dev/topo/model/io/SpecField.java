package dev.topo.model.io;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An input field of a request about a job. Messages refer to the field, so that a library prints
 * "nodes" where a command line prints the option that sets it.
 */
public enum SpecField {
  ACTUAL("actual machine"),
  ADAPTIVE_ROUTING("adaptive routing"),
  AGAINST("measurements"),
  ASSUME("assumption"),
  BUFFERS("buffers"),
  CALIBRATION("calibration"),
  COLLECTIVE("collective"),
  CUDA_GRAPH("CUDA graph"),
  DIFF("compared variants"),
  EDITED_NODES("edited nodes"),
  FABRIC("switches"),
  FORCE("forced pair"),
  GPUS("GPUs"),
  GROUPS_AT_ONCE("groups at once"),
  HOSTS("host names"),
  LAUNCH_US("launch time"),
  MACHINE("machine"),
  MAP("device pairs"),
  NETWORK("network"),
  NODE("machines"),
  NODES("nodes"),
  NVLINK_DOMAIN("NVLink domain"),
  PER_SWITCH("cards per switch"),
  RANKS("ranks"),
  RANKS_PER_PROCESS("GPUs per process"),
  RELEASE("release"),
  SHARD("shard"),
  SIZES("sizes"),
  SPLIT("groups"),
  TOPOLOGY("topology"),
  TRAFFIC("traffic"),
  TRY("trial"),
  UPLINK_GBPS("uplink bandwidth"),
  VARIANT("variant"),
  WHY_NOT("alternative");

  private final String label;

  SpecField(String label) {
    this.label = label;
  }

  /** Name of the field in messages without names of options: {@code NVLink domain}. */
  String label() {
    return label;
  }

  /**
   * A message that refers to fields by name: by label for users of the library, by option on a
   * command line.
   *
   * @param pattern as of {@link String#format}
   * @param arguments arguments of the pattern: fields, nested texts, and any values
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

    /** The text with one argument replaced by another value. */
    public SpecText replacing(Object argument, Object replacement) {
      return new SpecText(
          pattern,
          arguments.stream().map(one -> one.equals(argument) ? replacement : one).toList());
    }

    /** The text with the given names of the fields. */
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

  /** An error whose message refers to fields of a request. */
  public interface SpecWorded {
    /** The message, for any names of the fields. */
    SpecText text();
  }
}
