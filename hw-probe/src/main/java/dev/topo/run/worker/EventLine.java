package dev.topo.run.worker;

import dev.topo.run.call.RunRequest;
import dev.topo.run.job.ProcessPlacement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The protocol between the two processes, one message per line: an event after a mark, which
 * distinguishes it from output of libraries, and the request.
 */
final class EventLine {
  private static final String MARK = "@topo ";
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final List<Class<? extends RunEvent>> KINDS =
      List.of(
          RunEvent.Alive.class,
          RunEvent.Step.class,
          RunEvent.Started.class,
          RunEvent.Measured.class,
          RunEvent.Ended.class,
          RunEvent.Failed.class);

  /** The first message to a worker. */
  record Assignment(RunRequest request, ProcessPlacement placement) {}

  private EventLine() {}

  static String write(RunEvent event) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put(event.getClass().getSimpleName(), event);
    return MARK + MAPPER.writeValueAsString(tree);
  }

  /** The event of a line, or nothing if the line is not one. */
  static Optional<RunEvent> read(String line) {
    if (!line.startsWith(MARK)) {
      return Optional.empty();
    }
    try {
      JsonNode tree = MAPPER.readTree(line.substring(MARK.length()));
      for (Class<? extends RunEvent> kind : KINDS) {
        JsonNode body = tree.get(kind.getSimpleName());
        if (body != null) {
          return Optional.of(MAPPER.treeToValue(body, kind));
        }
      }
      return Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  static String write(Assignment assignment) {
    return MAPPER.writeValueAsString(assignment);
  }

  static Assignment readAssignment(String line) {
    return MAPPER.readValue(line, Assignment.class);
  }
}
