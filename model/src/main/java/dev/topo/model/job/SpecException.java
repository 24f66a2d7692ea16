package dev.topo.model.job;

import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.io.SpecField.SpecWorded;
import org.jspecify.annotations.Nullable;

/**
 * An invalid value of a field of a request. The message names the field by its label; a command
 * line formats {@link #text} with the names of its options instead.
 */
public final class SpecException extends SettingException implements SpecWorded {
  private static final long serialVersionUID = 1L;

  private final SpecField field;
  private final transient SpecText problem;
  private final transient SpecText text;

  /**
   * An exception about a field.
   *
   * @param problem the text after the name of the field, as a pattern: {@code " %d: expected 1"}
   * @param arguments arguments of the pattern
   */
  public SpecException(SpecField field, String problem, @Nullable Object... arguments) {
    this(field, null, problem, arguments);
  }

  /** An error with its cause. */
  public SpecException(
      SpecField field, @Nullable Throwable cause, String problem, @Nullable Object... arguments) {
    this(field, SpecText.of(problem, arguments), "%s%s", cause);
  }

  private SpecException(
      SpecField field, SpecText problem, String pattern, @Nullable Throwable cause) {
    super(SpecText.of(pattern, field, problem).toString(), cause);
    this.field = field;
    this.problem = problem;
    this.text = SpecText.of(pattern, field, problem);
  }

  /** An exception whose message does not begin with the name of the field. */
  public static SpecException worded(SpecField field, SpecText message) {
    return new SpecException(field, message, "%2$s", null);
  }

  /** The field with the rejected value. */
  public SpecField field() {
    return field;
  }

  @Override
  public SpecText text() {
    return text;
  }

  /** The text that follows the name of the field in the message. */
  public SpecText problem() {
    return problem;
  }
}
