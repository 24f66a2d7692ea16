package dev.topo.model.io;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.SpecField.SpecText;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Input that cannot be used. The message is one line: {@code file:line:column: element: problem,
 * expectation}. The input is shown as {@link PlainText}, and long values are cut.
 */
public final class TopologyFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int MAX_LENGTH = 400;

  private final transient SourceLocation location;
  private final transient SpecText text;

  /** An exception about a whole file. */
  public TopologyFormatException(String file, String message) {
    this(file, message, null);
  }

  public TopologyFormatException(String file, String message, @Nullable Throwable cause) {
    this(SourceLocation.of(file), message, cause);
  }

  /** An exception about a location in a file. */
  public TopologyFormatException(SourceLocation location, String message) {
    this(location, message, null);
  }

  public TopologyFormatException(
      SourceLocation location, String message, @Nullable Throwable cause) {
    this(location, SpecText.of("%s", message), cause);
  }

  /** An exception whose message refers to fields of the request. */
  public TopologyFormatException(SourceLocation location, SpecText text) {
    this(location, text, null);
  }

  private TopologyFormatException(
      SourceLocation location, SpecText text, @Nullable Throwable cause) {
    super(message(location, text.toString()), cause);
    this.location = location;
    this.text = text;
  }

  /** The message with the given names of the fields. */
  public String message(Function<SpecField, String> names) {
    return message(location, text.with(names));
  }

  private static String message(SourceLocation location, String reason) {
    return PlainText.oneLine(location.toString()) + ": " + oneLine(reason);
  }

  public SourceLocation location() {
    return location;
  }

  /** The message without the location. */
  public String reason() {
    return Objects.requireNonNull(getMessage()).substring(location.toString().length() + 2);
  }

  /**
   * This error, reported at the location in another file that caused it.
   *
   * @param cause a location, for instance in a file of edits
   */
  public TopologyFormatException madeAt(SourceLocation cause) {
    if (cause.equals(location)) {
      return this;
    }
    boolean isSameFile = cause.file().equals(location.file());
    return new TopologyFormatException(
        cause, isSameFile ? text : SpecText.of("since then %s: %s", location, text), this);
  }

  private static String oneLine(String message) {
    int length = message.codePointCount(0, message.length());
    return length > MAX_LENGTH
        ? PlainText.oneLine(message.substring(0, message.offsetByCodePoints(0, MAX_LENGTH))) + "…"
        : PlainText.oneLine(message);
  }
}
