package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
    return Arrays.stream(fields.split(";"))
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
        "machine=shipped-pcie-6-uneven;edit=move net:mlx5_0 to cpu:1;collective=sendrecv"
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
        "machine=shipped-l40s-4;nodes=2;release=2.30.7;env=NCCL_PROTO=Simple"
      })
  void aMachineHasTheAnswerOfPredict(String fields) throws Exception {
    assertHasTheSentenceOf("topo predict ", page.answer(form(fields)));
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
