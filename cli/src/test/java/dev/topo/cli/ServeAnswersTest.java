package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the page of {@code topo serve} is told is what the command line that it shows answers. */
class ServeAnswersTest {
  private static ServedPage page;

  @BeforeAll
  static void start() throws IOException {
    page = new ServedPage();
  }

  @AfterAll
  static void stop() {
    page.close();
    assertEquals(List.of(), page.faults());
  }

  private static String form(String fields) {
    return Arrays.stream(fields.split("(?<!\\\\);"))
        .map(field -> field.replace("\\;", ";"))
        .map(field -> field.split("=", 2))
        .map(field -> field[0] + "=" + URLEncoder.encode(field[1], StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "machine=shipped-dgx-h100;edit=remove net:mlx5_3",
        "machine=shipped-dgx-h100;nodes=4;edit=remove net:mlx5_3;graph=ring",
        "machine=shipped-dgx-h100;nodes=16;editedNodes=8;edit=remove net:mlx5_1;edit=remove net:mlx5_3",
        "machine=shipped-dgx-h100;nodes=2;edit=machine topologies/hgx-b200.xml;collective=alltoall",
        "machine=shipped-dgx-h100;nodes=2;edit=nccl 2.21.5;sizes=1M,1G",
        "machine=shipped-dgx-a100;nodes=4;env=NCCL_ALGO=Ring;edit=env NCCL_ALGO=Tree;network=slingshot",
        "machine=shipped-dgx-1v;edit=remove nvlink:0-3;release=2.23.4;collective=broadcast",
        "machine=shipped-gb200-tray;domain=18;nodes=18;edit=gpu:0.gdr=0;collective=all_gather",
        "machine=shipped-pcie-6-uneven;edit=move net:mlx5_0 to cpu:1;collective=sendrecv",
        "machine=shipped-dgx-h100;nodes=2;other=shipped-dgx-a100*2;edit=remove net:mlx5_3",
        "machine=shipped-dgx-h100;nodes=2;other=shipped-dgx-a100;other=shipped-dgx-h100*2;edit=gpu:0.gdr=0;editedNodes=3",
        "machine=shipped-gb200-tray;nodes=4;domain=2;other=shipped-gb300-tray*2;edit=remove gpu:1-0;collective=alltoall"
      })
  void anEditHasTheAnswerOfWhatif(String fields) throws Exception {
    JsonNode answer = page.answer(form(fields));
    JsonNode expected = assertHasTheSentenceOf("topo whatif ", answer);

    JsonNode whatIf = JsonMapper.shared().readTree(page.text("/api/file/json", form(fields)));
    assertEquals(ServedPage.compared(expected), ServedPage.compared(whatIf), fields);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "machine=shipped-dgx-h100",
        "machine=shipped-dgx-h100;nodes=4;collective=alltoall",
        "machine=shipped-gb200-tray;nodes=18;domain=18;sizes=1G",
        "machine=shipped-l40s-4;nodes=2;release=2.30.7;env=NCCL_PROTO=Simple",
        "machine=shipped-dgx-h100;nodes=2;other=shipped-dgx-a100*2;graph=ring",
        "machine=shipped-dgx-a100;other=shipped-dgx-h100*3;other=shipped-dgx-a100;collective=sendrecv"
      })
  void aMachineHasTheAnswerOfPredict(String fields) throws Exception {
    assertHasTheSentenceOf("topo predict ", page.answer(form(fields)));
  }

  /** Every kind of communicator of a split, by value; those without an edit by their sentences. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "machine=shipped-dgx-h100;nodes=4;split=MOD 8;edit=remove net:mlx5_3",
        "machine=shipped-dgx-h100;nodes=2;split=DIV 4;edit=remove net:mlx5_3;editedNodes=1",
        "machine=shipped-dgx-1v;split=0-2\\;3-7;edit=remove nvlink:0-1;communicator=1",
        "machine=shipped-gb200-tray;domain=2;nodes=4;split=DIV 8;edit=gpu:0.gdr=0;collective=alltoall",
        "machine=shipped-dgx-h100;nodes=4;split=MOD 8",
        "machine=shipped-dgx-1v;split=0-2\\;3-7;communicator=1;graph=ring",
        "machine=shipped-gb200-tray;domain=2;nodes=4;split=MOD 4"
      })
  void aSplitHasTheAnswerOfTheCommand(String fields) throws Exception {
    JsonNode answer = page.answer(form(fields));
    assertFalse(answer.has("error"), answer.toString());
    String command = answer.get("equalCommand").asString();
    JsonNode expected = ServedPage.ofCommandLine(command);
    if (fields.contains("edit=")) {
      assertEquals(
          ServedPage.compared(expected),
          ServedPage.compared(
              JsonMapper.shared().readTree(page.text("/api/file/json", form(fields)))),
          command);
    }
    Map<String, String> sentences = new TreeMap<>();
    List<JsonNode> documents =
        expected.has("communicators")
            ? expected.get("communicators").valueStream().toList()
            : List.of();
    documents.forEach(
        one ->
            sentences.put(
                one.get("communicator").asString(), one.at("/document/answer").asString()));
    Map<String, String> stated = new TreeMap<>();
    answer
        .get("communicators")
        .valueStream()
        .forEach(one -> stated.put(one.get("label").asString(), one.get("answer").asString()));
    if (documents.isEmpty()) {
      assertEquals(List.of(expected.get("answer").asString()), List.copyOf(stated.values()));
    } else {
      assertEquals(sentences, stated, command);
    }
    assertEquals(
        stated.get(answer.get("communicator").asString()), answer.get("answer").asString());
    assertEquals(
        fields.contains("communicator=1"), answer.get("communicator").asString().equals("1"));
    JsonNode memory = JsonMapper.shared().readTree(page.text("/api/memory", form(fields)));
    JsonNode ofCommand = ServedPage.ofCommandLine(memory.get("equalCommand").asString());
    int at = List.copyOf(stated.keySet()).indexOf(answer.get("communicator").asString());
    JsonNode ofPart =
        ofCommand.has("communicators")
            ? ofCommand.at(
                "/communicators/"
                    + Math.min(at, ofCommand.get("communicators").size() - 1)
                    + "/document")
            : ofCommand;
    // The command names all communicators that are equal, the page the one that it shows.
    assertEquals(
        besideCommunicator(ofPart.get("answer").asString()),
        besideCommunicator(memory.get("before").asString()),
        command);
  }

  /** A sentence in front of and behind the numbers of communicators. */
  private static List<String> besideCommunicator(String sentence) {
    return List.of(
        sentence.substring(0, sentence.indexOf(" communicator ")),
        sentence.substring(sentence.indexOf(" · ")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "other=shipped-none|other|there is no machine 'shipped-none'",
        "other=shipped-dgx-a100*0|other|'0': expected a number of nodes",
        "other=shipped-dgx-a100*x|other|'x': expected a number of nodes",
        "nodes=2;other=shipped-dgx-a100*999999|other|nodes in all",
        "other=shipped-dgx-a100;split=MOD 8|split|the page splits jobs of equal machines",
        "nodes=2;other=shipped-dgx-a100;editedNodes=3|editedNodes|expected 1 to 2",
        "domain=2;nodes=2;other=shipped-dgx-a100|domain|--nvlink-domain 2"
      })
  void wrongOtherMachinesAreRefused(String fields, String field, String message) throws Exception {
    JsonNode refused = page.answer(form("machine=shipped-dgx-h100;" + fields));
    assertEquals(field, refused.path("field").asString(), refused.toString());
    assertTrue(refused.get("error").asString().contains(message), refused.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "split=MOD|--split",
        "split=0-99|--split",
        "split=MOD 8;edit=remove gpu:7|after the edits there is no communicator 7"
      })
  void aWrongSplitIsRefusedAtItsField(String fields, String message) throws Exception {
    JsonNode refused = page.answer(form("machine=shipped-dgx-h100;" + fields));
    assertEquals("split", refused.path("field").asString(), refused.toString());
    assertTrue(refused.get("error").asString().contains(message), refused.toString());
  }

  @Test
  void anAnswerIsTheSameWhateverWasAskedBefore() throws Exception {
    List<String> forms =
        List.of(
            "machine=shipped-dgx-h100;nodes=2",
            "machine=shipped-dgx-h100;nodes=2;edit=remove net:mlx5_3;graph=ring",
            "machine=shipped-dgx-h100;nodes=2;edit=remove net:mlx5_3;graph=tree;channel=2",
            "machine=shipped-dgx-h100;nodes=2;edit=remove net:none",
            "machine=shipped-dgx-h100;nodes=2;edit=remove net:mlx5_3;edit=gpu:1.gdr=0",
            "machine=shipped-dgx-h100;nodes=2;edit=nccl 2.21.5",
            "machine=shipped-dgx-h100;nodes=2;edit=gpu:1.gdr=0;editedNodes=1",
            "machine=shipped-dgx-h100;nodes=2;edit=gpu:1.gdr=0",
            "machine=shipped-dgx-h100;nodes=2;release=2.21.5",
            "machine=shipped-dgx-h100;nodes=2;edit=machine topologies/hgx-b200.xml",
            "machine=shipped-dgx-h100;nodes=2;collective=alltoall",
            "machine=shipped-dgx-h100;nodes=2;edit=remove net:mlx5_3;graph=ring");
    try (ServedPage first = new ServedPage()) {
      for (String fields : forms) {
        try (ServedPage fresh = new ServedPage()) {
          assertEquals(
              fresh.text("/api/answer", form(fields)),
              first.text("/api/answer", form(fields)),
              fields);
        }
      }
      for (String fields : forms.subList(4, forms.size())) {
        assertEquals(
            page.text("/api/file/json", form(fields)),
            first.text("/api/file/json", form(fields)),
            fields);
      }
    }
  }

  /** What is said of each device and link on the drawing. */
  private static List<String> labels(JsonNode answer) {
    return Pattern.compile("data-part=\"[^\"]*\"[^>]* aria-label=\"([^\"]*)\"")
        .matcher(answer.get("drawing").asString())
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  /** The fullest link on the drawing is that of {@code topo search}. */
  @ParameterizedTest
  @CsvSource({
    "dgx-h100,ring,1",
    "dgx-h100,ring,2",
    "dgx-h100,nvls,1",
    "dgx-a100,tree,4",
    "dgx-1v,ring,1",
    "hgx-h200-4nic,ring,2",
    "pcie-6-uneven,tree,1"
  })
  void linksHaveTheLoadThatSearchStates(String machine, String graph, int nodes) throws Exception {
    JsonNode answer =
        page.answer(form("machine=shipped-%s;nodes=%d;graph=%s".formatted(machine, nodes, graph)));
    String printed =
        ServedPage.printed("topo search topologies/%s.xml --nodes %d".formatted(machine, nodes))
            .replace("\n               ", " ");
    Matcher fullest =
        Pattern.compile("(?m)^" + graph + " .*fullest link (\\w+) .*: ([\\d.]+) of ([\\d.]+) GB/s")
            .matcher(printed);
    assertTrue(fullest.find(), printed);
    double most = 0;
    for (String label : labels(answer)) {
      if (label.contains(", " + fullest.group(1) + ", ")) {
        Matcher used = Pattern.compile("([\\d.]+) of ([\\d.]+) GB/s").matcher(label);
        while (used.find()) {
          if (used.group(2).equals(fullest.group(3))) {
            most = Math.max(most, Double.parseDouble(used.group(1)));
          }
        }
      }
    }
    assertEquals(Double.parseDouble(fullest.group(2)), most, 0.06, labels(answer).toString());
  }

  /** Paths of each GPU to GPUs and ports are those of {@code topo paths}. */
  @ParameterizedTest
  @ValueSource(strings = {"dgx-h100", "dgx-1v", "l40s-4", "hgx-h200-4nic"})
  void devicesHaveThePathsOfTheCommand(String machine) throws Exception {
    List<String> labels = labels(page.answer(form("machine=shipped-" + machine + ";nodes=2")));
    Map<String, Map<String, Integer>> ways = new TreeMap<>();
    ServedPage.printed("topo paths topologies/" + machine + ".xml --format tsv")
        .lines()
        .skip(1)
        .map(line -> line.split("\t"))
        .filter(cells -> cells[0].startsWith("GPU") && !cells[0].equals(cells[1]))
        .filter(cells -> cells[1].startsWith("GPU"))
        .forEach(
            cells ->
                ways.computeIfAbsent(cells[0], gpu -> new TreeMap<>())
                    .merge(
                        cells[2] + " " + Math.rint(10 * number(cells[3])) / 10, 1, Integer::sum));
    assertFalse(ways.isEmpty());
    ways.forEach(
        (gpu, expected) -> {
          String label =
              labels.stream()
                  .filter(one -> one.startsWith(gpu + ", ") && one.contains("Paths: "))
                  .findFirst()
                  .orElseThrow();
          Map<String, Integer> stated = new TreeMap<>();
          Pattern.compile("(\\w+) ([\\d.]+) GB/s to (?:(\\d+) GPUs|GPU ([\\d, ]+))")
              .matcher(label)
              .results()
              .forEach(
                  way ->
                      stated.put(
                          way.group(1) + " " + number(way.group(2)),
                          way.group(3) == null
                              ? way.group(4).split(", ").length
                              : Integer.parseInt(way.group(3))));
          assertEquals(expected, stated, label);
        });
  }

  private static double number(String text) {
    return Double.parseDouble(text);
  }

  /** The document of the command line that an answer shows, whose sentence it has. */
  private static JsonNode assertHasTheSentenceOf(String words, JsonNode answer) {
    assertFalse(answer.has("error"), answer.toString());
    String command = answer.get("equalCommand").asString();
    assertTrue(command.startsWith(words), command);
    JsonNode expected = ServedPage.ofCommandLine(command);
    assertEquals(expected.get("answer"), answer.get("answer"), command);
    return expected;
  }
}
