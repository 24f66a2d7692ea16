package dev.topo.inspect.caveat;

import dev.topo.model.Labels;
import dev.topo.model.io.PlainText;
import dev.topo.model.io.SpecField.SpecText;
import java.util.Optional;

/**
 * Limit of an answer: something that matters for its job but is not modelled.
 *
 * @param id stable name, as scripts depend on it: {@code nvlink-domain}
 * @param subject affected machines, devices or settings
 * @param message what is not modelled
 * @param remedy what the user can do
 */
public record Caveat(String id, String subject, String message, SpecText remedy) {
  /** Caveat with a plain remedy, without references to inputs. */
  public Caveat(String id, String subject, String message, String remedy) {
    this(id, subject, message, SpecText.of("%s", remedy));
  }

  /**
   * Condition under which the answer holds at all, as part of a sentence; empty if there is none.
   */
  public Optional<String> condition() {
    return Labels.exact(ModelLimit.values(), ModelLimit::id, id).flatMap(ModelLimit::condition);
  }

  /** Text in one line, independent of how inputs are spelled. */
  public SpecText text() {
    return SpecText.of("%s; %s", PlainText.oneLine(id + ": " + subject + ": " + message), remedy);
  }

  /** Text in one line: {@code nvlink-domain: gb200-tray: message; remedy}. */
  @Override
  public String toString() {
    return text().toString();
  }
}
