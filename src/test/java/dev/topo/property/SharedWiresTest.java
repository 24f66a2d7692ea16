package dev.topo.property;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.fixture.RandomCases;
import dev.topo.model.xml.XmlWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ports of one cable share it in every call, and ports without a path between them join no ranks.
 */
class SharedWiresTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String NO_PATH = "no path joins the switches";
  private static final int NODES = 16;

  @TempDir private Path folder;

  /** A shipped machine of whose ports so many in a row have one guid. */
  private Path machine(String name, int ports) throws IOException {
    String text = Files.readString(ROOT.resolve("topologies").resolve(name + ".xml"));
    StringBuilder shared = new StringBuilder();
    int port = 0;
    for (String part : text.split("(?<=guid=\")", -1)) {
      shared.append(
          port++ == 0 ? part : part.replaceFirst("[^\"]*", "0x" + ((port - 2) / ports + 70)));
    }
    return Files.writeString(folder.resolve(name + ports + ".xml"), shared);
  }

  private static double timeUs(Path machine, String... more) {
    Command run = predict(machine, more);
    return run.json().get("predictions").get(0).get("timeUs").asDouble();
  }

  private static Command predict(Path machine, String... more) {
    return Command.run(List.of("predict", machine.toString(), "--format=json", "--sizes=1G"), more);
  }

  @ParameterizedTest
  @CsvSource({
    "dgx-h100, 2, alltoall",
    "dgx-h100, 2, alltoallv",
    "dgx-h100, 4, gather",
    "hgx-h200-4nic, 4, alltoall",
    "dgx-a100, 2, alltoall",
  })
  void portsOfOneCableShareIt(String name, int ports, String operation) throws IOException {
    String[] question = {"--nodes=4", "--collective=" + operation};
    double apart = timeUs(machine(name, 1), question);
    double shared = timeUs(machine(name, ports), question);
    boolean isOneFlow = operation.equals("gather");
    assertEquals(isOneFlow ? 1 : ports, shared / apart, isOneFlow ? 0.01 : 0.15 * ports);
    assertTrue(predict(machine(name, ports), question).out().contains("shared-port: "));
    assertTrue(!predict(machine(name, 1), question).out().contains("shared-port: "));
  }

  @ParameterizedTest
  @CsvSource({"dgx-h100, 2", "hgx-h200-4nic, 4", "dgx-a100, 2"})
  void theBoundCountsACableOnce(String name, int ports) throws IOException {
    assertEquals(boundUs(machine(name, 1)) * ports, boundUs(machine(name, ports)), 1);
  }

  private static double boundUs(Path machine) {
    List<String> question = List.of("explain", machine.toString(), "--format=json", "--sizes=1G");
    Command run = Command.run(question, "--nodes=2", "--collective=alltoall", "--about=bound");
    return run.json().get("bound").get("timeUs").asDouble();
  }

  @Test
  void treesOfNvlsShareThem() throws IOException {
    String[] question = {"--nodes=4", "--collective=all_reduce", "--env=NCCL_ALGO=NVLSTree"};
    assertTrue(
        timeUs(machine("dgx-h100", 2), question) > 1.6 * timeUs(machine("dgx-h100", 1), question));
  }

  /** On random machines one cable for all ports makes no alltoall faster. */
  @Test
  void oneCableIsNeverFaster() throws IOException {
    int compared = 0;
    for (long seed = 1; seed <= RandomCases.count(20, 200); seed++) {
      DrawnMachine machine = DrawnMachine.draw(new Random(seed * 0x9E3779B97F4A7C15L));
      String text = XmlWriter.write(machine.document());
      Path apart = Files.writeString(folder.resolve("apart.xml"), text);
      Path shared =
          Files.writeString(
              folder.resolve("shared.xml"),
              text.replaceAll("guid=\"[^\"]*\"", "guid=\"0x77\"")
                  .replaceAll("(<net [^>]*) port=\"[^\"]*\"", "$1 port=\"1\""));
      if (!machine.parts().ports().isEmpty()) {
        String[] question = {"--nodes=2", "--collective=alltoall"};
        Command one = predict(apart, question);
        if (one.status() == 0 && predict(shared, question).status() == 0) {
          compared++;
          assertTrue(
              timeUs(shared, question) >= timeUs(apart, question) * (1 - 1e-6), machine.toString());
        }
      }
    }
    assertTrue(compared > 0);
  }

  /** Rails of 16 nodes; above the switch of a rail another, if there is one. */
  private Path rails(String above) throws IOException {
    List<String> lines = new ArrayList<>(List.of("node,nic,switch"));
    for (int node = 0; node < NODES; node++) {
      for (int nic = 0; nic < 8; nic++) {
        lines.add(
            String.format(
                Locale.ROOT, "n%d,mlx5_%d,rail%d%s", node, nic, nic, above.formatted(node / 8)));
      }
    }
    return Files.write(folder.resolve("rails.csv"), lines);
  }

  @ParameterizedTest
  @CsvSource({
    "'', NCCL_PXN_DISABLE=1, alltoall, true",
    "'', NCCL_PXN_DISABLE=1, alltoallv, true",
    "'', NCCL_PXN_DISABLE=1, sendrecv, true",
    "'', NCCL_PXN_DISABLE=1, all_gather, false",
    "'', NCCL_CROSS_NIC=1, all_gather, true",
    "'', NCCL_CROSS_NIC=1, broadcast, true",
    "'', NCCL_DEBUG=INFO, alltoall, false",
    "'', NCCL_DEBUG=INFO, all_reduce, false",
    "/core, NCCL_PXN_DISABLE=1, alltoall, false",
    "-pod%d, NCCL_DEBUG=INFO, all_reduce, true",
    "-pod%d/core, NCCL_DEBUG=INFO, all_reduce, false",
  })
  void portsWithoutAPathJoinNoRanks(String above, String setting, String operation, boolean fails)
      throws IOException {
    Command run =
        Command.run(
            List.of("predict", ROOT.resolve("topologies/dgx-h100.xml").toString()),
            "--nodes=" + NODES,
            "--fabric=" + rails(above),
            "--env=" + setting,
            "--collective=" + operation,
            "--sizes=1G",
            "-q");
    assertEquals(fails ? 1 : 0, run.status(), run.out() + run.err());
    assertEquals(fails, (run.out() + run.err()).contains(NO_PATH), run.out() + run.err());
  }
}
