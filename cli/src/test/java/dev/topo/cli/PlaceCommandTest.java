package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code topo place}. */
class PlaceCommandTest {
  private static final String MACHINE =
      Path.of(System.getProperty("topo.root"), "topologies", "dgx-h100.xml").toString();

  @TempDir private Path folder;

  /** Eight hosts whose names alternate between two leaves. */
  private CliRun run(String... options) throws IOException {
    Path fabric =
        Files.writeString(
            folder.resolve("fabric.conf"),
            """
            SwitchName=a Nodes=n[0,2,4,6] UplinkGbps=3200
            SwitchName=b Nodes=n[1,3,5,7] UplinkGbps=3200
            SwitchName=core Switches=a,b
            """);
    return CliRun.of(
        Stream.concat(
                Stream.of("place", MACHINE, "--fabric=" + fabric, "--group=dp=MOD 8"),
                Stream.of(options))
            .toArray(String[]::new));
  }

  private JsonNode json(String... options) throws IOException {
    List<String> all = new ArrayList<>(List.of(options));
    all.add("--format=json");
    CliRun run = run(all.toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    return JsonMapper.shared().readTree(run.out());
  }

  /** The price of an order is that of predict for hosts in this order. */
  @Test
  void aPriceIsThatOfThePrediction() throws IOException {
    JsonNode answer = json("--nodes=8", "--hosts=n[0-7]", "--call=dp all_gather 64M 3");
    for (int order : new int[] {0, 3}) {
      JsonNode priced = answer.get("orders").get(order);
      List<String> hosts = new ArrayList<>();
      priced.get("hosts").forEach(host -> hosts.add(host.asString()));
      CliRun predicted =
          CliRun.of(
              "predict",
              MACHINE,
              "--nodes=8",
              "--fabric=" + folder.resolve("fabric.conf"),
              "--hosts=" + String.join(",", hosts),
              "--split=MOD 8",
              "--groups-at-once=split",
              "--collective=all_gather",
              "--sizes=64M",
              "--format=json");
      double us =
          JsonMapper.shared()
              .readTree(predicted.out())
              .at("/communicators/0/document/predictions/0/timeUs")
              .asDouble();
      assertEquals(3 * us, priced.get("timeUs").asDouble(), 1e-3 * us, predicted.out());
    }
    assertEquals(8, answer.at("/orders/3/groups/0/crossing").asInt());
    assertTrue(
        answer.at("/orders/3/timeUs").asDouble() < 0.6 * answer.at("/orders/0/timeUs").asDouble());
    assertTrue(answer.get("isExhaustive").asBoolean());
  }

  /** Half of the hosts fit below one switch, so that no group leaves it. */
  @Test
  void freeHostsBelowOneSwitchAreTaken() throws IOException {
    JsonNode best = json("--nodes=3", "--max-blocks=1", "--free=n[1-7]").at("/orders/3");
    assertEquals("[\"n1\",\"n3\",\"n5\"]", best.get("hosts").toString());
    assertEquals(0, best.at("/groups/0/crossing").asInt());
  }

  @ParameterizedTest
  @ValueSource(strings = {"hostfile", "slurm", "torchrun"})
  void whatLaunchersReadIsReadBack(String format) throws IOException {
    CliRun run = run("--nodes=8", "--hosts=n[0-7]", "--format=" + format);
    Path file = Files.writeString(folder.resolve("hosts"), run.out());
    JsonNode again = json("--nodes=8", "--hosts=@" + file);
    assertEquals(again.at("/orders/3/hosts"), again.at("/orders/0/hosts"), run.out() + run.err());
    int lines = format.equals("slurm") ? 64 : 8;
    assertEquals(lines, run.out().lines().count());
  }

  @Test
  void whatIsNotStatedIsSaid() throws IOException {
    Path fabric =
        Files.writeString(
            folder.resolve("topology.yaml"),
            """
            - topology: t
              block:
                block_sizes: [4]
                blocks:
                - {block: b1, nodes: "n[0-3]"}
                - {block: b2, nodes: "n[4-7]"}
            """);
    String[] call = {"place", MACHINE, "--nodes=8", "--fabric=" + fabric, "--group=dp=MOD 8"};
    String text = CliRun.of(call).out();
    assertTrue(text.contains("uplinks of b[1-2] taken for wide enough"), text);
    assertTrue(text.contains("one AllReduce of 256 MiB for each kind of group"), text);
    CliRun stated =
        CliRun.of(
            Stream.concat(
                    Stream.of(call),
                    Stream.of("--uplink-gbps=800", "--hosts=n0,n4,n1,n5,n2,n6,n3,n7"))
                .toArray(String[]::new));
    assertTrue(stated.out().contains(" instead of "), stated.out() + stated.err());
    assertTrue(!stated.out().contains("wide enough"), stated.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--nodes=8;--call=pp all_reduce 1M|--call 'pp all_reduce 1M': expected 'NAME OPERATION SIZE [COUNT]' with a name of dp",
        "--nodes=8;--call=dp all_reduce 1M 0|--call 'dp all_reduce 1M 0': expected",
        "--nodes=8;--call=dp sum 1M|operation 'sum': expected one of",
        "--nodes=5;--max-blocks=1|4 free hosts at 1 leaf switches for 5 nodes",
        "--nodes=2;--free=n9|n9 is not a node of",
        "--nodes=2;--uplink-gbps=0|--uplink-gbps: '0', expected a bandwidth above 0 Gb/s",
        "--nodes=2;--split=MOD 8|expected --fabric FILE and equal machines, and no --split and --node"
      })
  void wrongOptionsAreOneLine(String options, String message) throws IOException {
    CliRun run = run(options.split(";"));
    assertTrue(run.err().contains(message), run.err());
    assertEquals(1, run.err().strip().lines().count(), run.err());
    assertTrue(run.status() == 2 || run.status() == 3, "" + run.status());
  }
}
