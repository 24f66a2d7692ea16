package dev.topo.visualizer.view;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A command line that a program requests in one line of JSON: {@code {"id": 1, "args": ["predict",
 * "dgx-h100"]}}. The reply is one line as well, with the same id.
 *
 * @param id any value that identifies the request to the program
 * @param args the words after {@code topo}
 * @param env the environment variables of the program, for {@code --env-from-process}; absent for
 *     those of this process
 */
public record LineRequest(
    @Nullable JsonNode id, List<String> args, @Nullable Map<String, String> env) {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  /** The start of every JSON document of a command. */
  private static final String DOCUMENT = "{\n  \"schema\"";

  public LineRequest {
    args = List.copyOf(Objects.requireNonNull(args, "args"));
  }

  /**
   * Parses a request.
   *
   * @throws IllegalArgumentException if the line is not a request, with a message of one line
   */
  public static LineRequest parse(String line) {
    try {
      return MAPPER.readValue(line, LineRequest.class);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "a line is no request: expected {\"id\": 1, \"args\": [\"predict\", \"dgx-h100\"]}", e);
    }
  }

  /**
   * The reply to a request.
   *
   * @param status the exit status of the command
   * @param output what it printed: one JSON document is a value of the reply, all else a text
   * @param error its messages
   */
  public String reply(int status, String output, String error) {
    return reply(id == null ? "null" : id.toString(), status, output, error);
  }

  /** The reply to a line that is no request. */
  public static String refusal(int status, String error) {
    return reply("null", status, "", error);
  }

  private static String reply(String id, int status, String output, String error) {
    boolean isDocument = output.startsWith(DOCUMENT) && !output.contains("\n{");
    return "{\"id\":%s,\"status\":%s,\"output\":%s,\"error\":%s}\n"
        .formatted(
            id,
            status,
            isDocument ? output.replaceAll("\n *", "") : MAPPER.writeValueAsString(output),
            MAPPER.writeValueAsString(error.strip()));
  }
}
