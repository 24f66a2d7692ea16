package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.topo.cli.fixture.CliRun;
import dev.topo.cli.terminal.Streams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code topo serve --stdio}. */
class CommandServerTest {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private static List<JsonNode> replies(InputStream requests) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(out, false, StandardCharsets.UTF_8);
    new CommandServer(new Streams(stream, stream), Map.of()).serve(requests);
    return out.toString(StandardCharsets.UTF_8).lines().map(MAPPER::readTree).toList();
  }

  private static List<JsonNode> replies(String requests) throws IOException {
    return replies(new ByteArrayInputStream(requests.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void aReplyIsTheAnswerOfTheCommand() throws IOException {
    String[] args = {"predict", "dgx-h100", "--nodes", "2", "--sizes", "1M", "--format", "json"};
    JsonNode reply =
        replies("{\"id\":\"ä\",\"args\":%s}\n".formatted(MAPPER.writeValueAsString(args))).get(0);
    assertEquals("ä", reply.get("id").asString());
    assertEquals(0, reply.get("status").asInt());
    assertEquals(MAPPER.readTree(CliRun.of(args).out()), reply.get("output"));
    assertEquals("", reply.get("error").asString());
  }

  @Test
  void repliesAreInOrderAndABadLineEndsNothing() throws IOException {
    List<JsonNode> replies =
        replies(
            "{\"id\":1,\"args\":[\"--version\"]}\r\n\nnonsense\n{\"id\":2,\"args\":[\"predict\",\"none\"]}\n"
                + "{\"id\":3,\"args\":[\"show\",\"dgx-h100\",\"dgx-a100\",\"--format\",\"json\"]}\n"
                + "{\"id\":4,\"args\":[\"--version\"]}");
    assertEquals(5, replies.size());
    assertEquals(0, replies.get(0).get("status").asInt());
    assertTrue(replies.get(1).get("id").isNull());
    assertEquals(3, replies.get(2).get("status").asInt());
    assertTrue(replies.get(2).get("error").asString().startsWith("topo: none: no such file"));
    assertTrue(replies.get(3).get("output").isString(), "two documents are no document");
    assertEquals(4, replies.get(4).get("id").asInt());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nonsense",
        "[1]",
        "{}",
        "{\"id\":1}",
        "{\"id\":1,\"args\":\"show\"}",
        "{\"id\":1,\"args\":[null]}",
        "{\"id\":1,\"args\":[[]]}",
        "{\"id\":1,\"args\":[],\"args\":[]}",
        "{\"id\":1,\"args\":[],\"other\":1}",
        "{\"id\":1,\"args\":[]} {\"id\":1,\"args\":[]}",
      })
  void whatIsNoRequestIsRefusedInOneSentence(String line) throws IOException {
    JsonNode reply = replies(line + "\n").get(0);
    assertEquals(2, reply.get("status").asInt());
    String error = reply.get("error").asString();
    assertTrue(error.contains("expected {\"id\": 1, "), error);
    assertTrue(!error.contains("java.") && !error.contains("dev.topo"), error);
  }

  @ParameterizedTest
  @CsvSource({
    "show,-",
    "show,/dev/stdin",
    "show,/proc/self/fd/0",
    "predict,--node=-*2",
    "predict,--hosts=@-",
    "serve,--stdio"
  })
  void noCommandReadsTheRequests(String command, String word) throws IOException {
    JsonNode reply =
        replies("{\"id\":1,\"args\":[\"%s\",\"%s\"]}\n".formatted(command, word)).get(0);
    assertEquals(2, reply.get("status").asInt());
    assertTrue(reply.get("error").asString().contains("are those of the requests"));
  }

  /** Machines, settings and commands in turns, with a file that changes between them. */
  @Test
  void whatIsKeptChangesNoAnswer(@TempDir Path folder) throws IOException {
    String machine = CliRun.of("import", "dgx-h100").out();
    Path file = folder.resolve("machine.xml");
    Path graphs = folder.resolve("graphs.xml");
    Files.writeString(graphs, CliRun.of("search", "dgx-h100", "--format", "xml").out());
    List<String[]> commands = new ArrayList<>();
    for (String name : List.of("dgx-h100", "dgx-a100", file.toString())) {
      for (String command :
          List.of(
              "predict %s",
              "predict %s --nodes 2",
              "predict %s --nodes 2 --env NCCL_ALGO=Ring",
              "predict %s --nodes 2 --network slingshot",
              "predict %s --nodes 2 --nccl 2.30.7",
              "predict %s --gpus 0,1",
              "predict %s --ranks-per-process 8",
              "predict %s --buffers registered",
              "predict %s --env NCCL_GRAPH_FILE=" + graphs,
              "show %s",
              "whatif %s net:mlx5_0.speed=200000 --nodes 2")) {
        commands.add((command.formatted(name) + " --format json").split(" "));
      }
    }
    StringBuilder requests = new StringBuilder();
    for (String[] args : commands) {
      requests.append("{\"args\":%s}%n".formatted(MAPPER.writeValueAsString(args)));
    }
    byte[] lines = requests.toString().repeat(2).getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(out, false, StandardCharsets.UTF_8);
    CommandServer server = new CommandServer(new Streams(stream, stream), Map.of());
    for (String content :
        List.of(machine, machine.replace("400000", "200000"), "<system/>", machine)) {
      Files.writeString(file, content);
      out.reset();
      server.serve(new ByteArrayInputStream(lines));
      List<CliRun> alone = commands.stream().map(CliRun::of).toList();
      List<String> replies = out.toString(StandardCharsets.UTF_8).lines().toList();
      assertEquals(2 * commands.size(), replies.size());
      for (int i = 0; i < replies.size(); i++) {
        JsonNode reply = MAPPER.readTree(replies.get(i));
        CliRun expected = alone.get(i % commands.size());
        assertEquals(expected.err().strip(), reply.get("error").asString());
        assertEquals(expected.status(), reply.get("status").asInt());
        assertEquals(
            expected.out().isEmpty() ? "" : MAPPER.readTree(expected.out()).toString(),
            reply.get("output").isString()
                ? reply.get("output").asString()
                : reply.get("output").toString());
      }
    }
  }

  /** A line of 64 MiB takes as much memory as the longest that is read. */
  @Test
  void anEndlessLineTakesNoMemory() throws IOException {
    int length = 64 << 20;
    InputStream endless =
        new InputStream() {
          private int read;

          @Override
          public int read() {
            return read++ < length ? 'x' : -1;
          }

          @Override
          public int read(byte[] bytes, int offset, int most) {
            int count = Math.min(most, length - read);
            Arrays.fill(bytes, offset, offset + count, (byte) 'x');
            read += count;
            return count == 0 ? -1 : count;
          }
        };
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(thread);
    JsonNode reply = replies(endless).get(0);
    long allocated = threads.getThreadAllocatedBytes(thread) - before;
    assertEquals(
        "a line of %s bytes: expected at most 1048576".formatted(length),
        reply.get("error").asString());
    assertTrue(allocated < 8 * CommandServer.MOST_BYTES, allocated + " bytes allocated");
  }

  @Test
  void everyOneOfManyRequestsHasAReply() throws IOException {
    int count = 2000;
    List<JsonNode> replies =
        replies("{\"id\":7,\"args\":[\"predict\",\"nowhere\"]}\n".repeat(count));
    assertEquals(count, replies.size());
    assertTrue(replies.stream().allMatch(reply -> reply.get("status").asInt() == 3));
  }

  @Test
  void variablesAreThoseOfTheRequest() throws IOException {
    JsonNode reply =
        replies(
                "{\"id\":1,\"args\":[\"search\",\"dgx-h100\",\"--env-from-process\"],\"env\":{\"NCCL_ALGO\":\"Tree\",\"NCCL_NO_SUCH\":\"1\"}}\n")
            .get(0);
    assertTrue(reply.get("error").asString().contains("NCCL_NO_SUCH"), reply.toString());
  }

  @Test
  void otherArgumentsAreRefused() {
    assertEquals(2, CliRun.of("serve", "--stdio", "--port", "80").status());
  }
}
