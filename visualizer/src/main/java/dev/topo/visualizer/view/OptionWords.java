package dev.topo.visualizer.view;

import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecText;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.SpecException;
import java.util.Locale;

/**
 * The options by which a command line states what a question is about. No other class below the
 * commands names an option.
 */
public final class OptionWords {
  private OptionWords() {}

  /** The option that states a field: {@code --nodes}. */
  public static String of(SpecField field) {
    return switch (field) {
      case RELEASE -> "--nccl";
      case DATA_TYPE -> "--datatype";
      case OPERATOR -> "--op";
      default -> "--" + field.name().toLowerCase(Locale.ROOT).replace('_', '-');
    };
  }

  /** A text that names fields by their options. */
  public static String of(SpecText text) {
    return text.with(OptionWords::of);
  }

  /** The message of an error, which names fields by their options. */
  public static String messageOf(Throwable e) {
    return e instanceof SpecException unfit
        ? of(unfit.text())
        : e instanceof TopologyFormatException unusable
            ? unusable.message(OptionWords::of)
            : String.valueOf(e.getMessage());
  }
}
