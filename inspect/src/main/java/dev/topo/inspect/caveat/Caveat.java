package dev.topo.inspect.caveat;

import dev.topo.model.io.PlainText;

/**
 * Something that an answer does not model although it matters for its job.
 *
 * @param id a name that stays the same, because scripts depend on it: {@code nvlink-domain}
 * @param subject the machines, devices or settings that it is about
 * @param message what is not modelled
 * @param remedy what to do
 */
public record Caveat(String id, String subject, String message, String remedy) {
  /** In one line: {@code nvlink-domain: gb200-tray: message; remedy}. */
  @Override
  public String toString() {
    return PlainText.oneLine(id + ": " + subject + ": " + message + "; " + remedy);
  }
}
