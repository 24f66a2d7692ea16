package dev.topo.inspect.caveat;

import dev.topo.model.io.PlainText;
import dev.topo.model.io.SpecField.SpecText;

/**
 * Something that an answer does not model although it matters for its job.
 *
 * @param id a name that stays the same, because scripts depend on it: {@code nvlink-domain}
 * @param subject the machines, devices or settings that it is about
 * @param message what is not modelled
 * @param remedy what to do
 */
public record Caveat(String id, String subject, String message, SpecText remedy) {
  /** A caveat whose remedy names nothing that a question states. */
  public Caveat(String id, String subject, String message, String remedy) {
    this(id, subject, message, SpecText.of("%s", remedy));
  }

  /** In one line, for any names of what a question states. */
  public SpecText text() {
    return SpecText.of("%s; %s", PlainText.oneLine(id + ": " + subject + ": " + message), remedy);
  }

  /** In one line: {@code nvlink-domain: gb200-tray: message; remedy}. */
  @Override
  public String toString() {
    return text().toString();
  }
}
