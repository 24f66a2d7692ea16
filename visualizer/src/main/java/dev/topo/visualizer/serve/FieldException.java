package dev.topo.visualizer.serve;

import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.rules.UnknownReleaseException;
import dev.topo.visualizer.view.OptionWords;
import java.util.function.Supplier;

/** An invalid field of a question, with the message of the command line. */
final class FieldException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String field;

  FieldException(String field, RuntimeException cause) {
    super(OptionWords.messageOf(cause), cause);
    this.field = field;
  }

  /** An error for a value that only the page rejects. */
  static FieldException of(String field, String message) {
    return new FieldException(field, new SettingException(message));
  }

  /** Computes a value from a field and attributes errors to that field. */
  static <T> T in(String field, Supplier<T> value) {
    try {
      return value.get();
    } catch (SettingException
        | TopologyFormatException
        | UnusableTopologyException
        | UnknownReleaseException e) {
      throw new FieldException(field, e);
    }
  }

  /** The name of the field, as in the form. */
  String field() {
    return field;
  }
}
