package dev.topo.model.job;

import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecText;
import org.jspecify.annotations.Nullable;

/**
 * A question that states what cannot be. Its message names the field by its label; who knows by
 * which option it was stated takes the {@link #text}.
 */
public final class SpecException extends SettingException {
  private static final long serialVersionUID = 1L;

  private final SpecField field;
  private final transient SpecText problem;

  /**
   * An exception about a field.
   *
   * @param problem what follows the name of the field, as a pattern: {@code " %d: expected 1"}
   * @param arguments what the pattern takes
   */
  public SpecException(SpecField field, String problem, Object... arguments) {
    this(field, null, problem, arguments);
  }

  /** The same with its cause. */
  public SpecException(
      SpecField field, @Nullable Throwable cause, String problem, Object... arguments) {
    this(field, SpecText.of(problem, arguments), cause);
  }

  private SpecException(SpecField field, SpecText problem, @Nullable Throwable cause) {
    super(field.label() + problem, cause);
    this.field = field;
    this.problem = problem;
  }

  /** What cannot be as it is stated. */
  public SpecField field() {
    return field;
  }

  /** The message, for any names of the fields. */
  public SpecText text() {
    return SpecText.of("%s%s", field, problem);
  }

  /** What follows the name of the field in the message. */
  public SpecText problem() {
    return problem;
  }
}
