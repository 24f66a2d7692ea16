package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.QuantityFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Memory, charts and reports of the page are those of the command line. */
class ServeFilesTest {
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

  private static JsonNode memory(String form) throws Exception {
    return JsonMapper.shared().readTree(page.text("/api/memory", form));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "machine=shipped-dgx-h100&nodes=2",
        "machine=shipped-dgx-1v&env=NCCL_BUFFSIZE=1048576",
        "machine=shipped-gb200-tray&nodes=4&domain=4&release=2.30.7"
      })
  void memoryIsThatOfTheCommand(String form) throws Exception {
    JsonNode answer = memory(form);
    String command = answer.get("equalCommand").asString();

    assertEquals(
        ServedPage.ofCommandLine(command).get("answer").asString(), answer.get("after").asString());
    assertEquals(answer.get("before"), answer.get("after"));
  }

  @Test
  void memoryAfterAnEditIsThatOfTheEditedFile(@TempDir Path folder) throws Exception {
    String form = "machine=shipped-dgx-h100&nodes=2&edit=remove+net:mlx5_3&edit=remove+gpu:3";
    Path file = folder.resolve("edited.xml");
    Files.writeString(file, page.text("/api/file/xml", form));
    JsonNode answer = memory(form);

    String command = answer.get("equalCommand").asString();
    JsonNode edited =
        ServedPage.ofCommandLine(command.replace("topologies/dgx-h100.xml", file.toString()));
    String ofFile = edited.get("answer").asString();
    String after = answer.get("after").asString();
    assertEquals(before(ofFile, "edited x 2"), before(after, "dgx-h100 x 2 with the edits"));
    assertEquals(behind(ofFile, "edited x 2"), behind(after, "dgx-h100 x 2 with the edits"));
    assertEquals(ServedPage.ofCommandLine(command).get("answer"), answer.get("before"));
    long total = edited.get("total").get("gpuBytes").asLong();
    assertTrue(
        answer
            .get("steps")
            .valueStream()
            .filter(row -> row.get("step").asString().startsWith("all, "))
            .anyMatch(row -> row.get("gpuAfter").asString().equals(sized(total))),
        answer.get("steps").toString());
  }

  private static String before(String sentence, String machine) {
    assertTrue(sentence.contains(machine), sentence);
    return sentence.substring(0, sentence.indexOf(machine));
  }

  private static String behind(String sentence, String machine) {
    return sentence
        .substring(sentence.indexOf(machine) + machine.length())
        .replaceFirst(" \\(rank \\d+\\)", "");
  }

  private static String sized(long bytes) {
    return QuantityFormat.size(bytes);
  }

  @Test
  void theMemoryOfTooManyRanksIsRefused() throws Exception {
    assertTrue(
        memory("machine=shipped-dgx-h100&nodes=200").get("error").asString().contains("1600"));
  }

  @Test
  void theChartOfAMachineIsThatOfTheCommand() throws Exception {
    String chart = page.text("/api/file/chart", "machine=shipped-dgx-h100&sizes=64K:1G:4");

    assertEquals(
        ServedPage.printed(
            "topo chart --machine topologies/dgx-h100.xml --sizes 64K:1G:4 --collective all_reduce"),
        chart);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "&nodes=2&domain=2"})
  void theReportOfAMachineIsThatOfTheCommand(String job) throws Exception {
    String machine = job.isEmpty() ? "dgx-h100" : "gb200-tray";
    String report = page.text("/api/file/report", "machine=shipped-" + machine + job);
    String expected =
        ServedPage.printed(
            "topo report topologies/"
                + machine
                + ".xml --collective all_reduce"
                + (job.isEmpty() ? "" : " --nodes 2 --nvlink-domain 2"));

    assertEquals(withoutCommand(expected), withoutCommand(report));
  }

  private static String withoutCommand(String report) {
    return report.replaceAll("(?s)<footer.*?</footer>", "");
  }
}
