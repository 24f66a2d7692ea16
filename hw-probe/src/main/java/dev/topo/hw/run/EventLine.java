package dev.topo.hw.run;

import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The protocol between parent and worker, one message per line: the request, and events after a
 * mark that distinguishes them from output of libraries.
 */
public final class EventLine {
  private static final String MARK = "@topo ";
  private static final JsonMapper MAPPER = new JsonMapper();

  /** First message to a worker. */
  public record Assignment(RunRequest request, ProcessPlacement placement) {}

  private EventLine() {}

  public static String write(RunEvent event) {
    return MARK + MAPPER.writerFor(RunEvent.class).writeValueAsString(event);
  }

  /** Event in a line; empty if there is none. */
  static Optional<RunEvent> read(String line) {
    if (!line.startsWith(MARK)) {
      return Optional.empty();
    }
    try {
      return Optional.of(MAPPER.readValue(line.substring(MARK.length()), RunEvent.class));
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  static String write(Assignment assignment) {
    return MAPPER.writeValueAsString(assignment);
  }

  public static Assignment readAssignment(String line) {
    return MAPPER.readValue(line, Assignment.class);
  }
}
