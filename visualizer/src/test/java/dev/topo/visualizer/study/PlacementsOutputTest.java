package dev.topo.visualizer.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.edit.NicPlacements;
import dev.topo.inspect.edit.PlacementSelection;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.simulator.fixture.EditedMachines;
import dev.topo.simulator.fixture.TestJobs;
import dev.topo.simulator.variant.PlacementReport;
import dev.topo.simulator.variant.Score.RankedPlacement;
import dev.topo.simulator.variant.Score.Ranking;
import dev.topo.visualizer.view.Answer;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is written of placements of network cards, as text and as JSON. */
class PlacementsOutputTest {
  private static final int ALL = 2000;
  private static final CollectiveCall LARGE = TestJobs.allReduce(1L << 30);

  private static PlacementReport report(EditedMachines machines, int most, OptionalInt perPlace) {
    NicPlacements cards = new NicPlacements(machines.machine("").machine(), perPlace);
    PlacementSelection selection = cards.nearest(most);
    List<RankedPlacement> tried =
        selection.placements().stream()
            .map(
                placement ->
                    RankedPlacement.of(placement, machines.after(placement.moves()), LARGE))
            .toList();
    return new PlacementReport(
        "a job", "", cards, selection, machines.before(), tried, LARGE, Ranking.BUSBW);
  }

  private static String text(PlacementReport report) throws IOException {
    return written(PlacementsOutput.of(report, ALL, true));
  }

  private static JsonNode json(PlacementReport report) throws IOException {
    return JsonMapper.shared().readTree(written(PlacementsOutput.json(report)));
  }

  private static String written(Answer answer) throws IOException {
    StringBuilder text = new StringBuilder();
    answer.writeTo(text);
    return text.toString();
  }

  @Test
  void fewerPlacementsThanThereAreAreSaidToBe() throws IOException {
    PlacementReport report = report(EditedMachines.of("dgx-h100", 2), 3, OptionalInt.empty());
    String text = text(report);
    assertTrue(
        text.contains(
            "1107 placements, 16 with equal ones counted once; "
                + "tried the 3 of 16 that move the fewest cards (--max-placements)\n"),
        text);
    assertTrue(text.contains("; by busbw between nodes\n"), text);
    JsonNode tree = json(report);
    assertEquals(3, tree.get("nTried").asInt());
    assertEquals(16, tree.get("nDifferent").asInt());
    assertEquals(1107, tree.get("nPlacements").asInt());
    assertEquals(3, tree.get("placements").size());
    for (JsonNode placement : tree.get("placements")) {
      assertTrue(placement.get("movedCards").asInt() <= 1);
    }
  }

  @Test
  void placementsThatAreTooManyToCountAreMoreThanANumber() throws IOException {
    String edits =
        IntStream.range(0, 8)
            .mapToObj(card -> "net:mlx5_" + card + ".latency=" + card)
            .collect(Collectors.joining("; "));
    EditedMachines machines = EditedMachines.of("dgx-h100", 2).given(edits);
    PlacementReport report = report(machines, 2, OptionalInt.of(8));
    String text = text(report);
    assertTrue(
        text.contains(
            "more than 20000 placements with equal ones counted once; "
                + "tried the 2 of more than 20000 that move the fewest cards"),
        text);
    JsonNode tree = json(report);
    assertTrue(tree.get("nDifferent").isNull());
    assertTrue(tree.get("nPlacements").isNull());
    assertEquals(20000, tree.get("nDifferentMoreThan").asInt());
    assertEquals(2, tree.get("nTried").asInt());
  }

  @Test
  void everyRowOfPlacementsReadsDifferently() throws IOException {
    EditedMachines machines = EditedMachines.of("l40s-8-switched", 2).given("net:0.speed=100000");
    PlacementReport report = report(machines, ALL, OptionalInt.empty());
    String text = text(report);
    List<String> rows =
        text.lines()
            .filter(line -> line.matches("\\d+  .* x .*"))
            .map(line -> line.split("  ")[1])
            .toList();
    JsonNode placements = json(report).get("placements");
    assertEquals(placements.size(), rows.size(), text);
    assertEquals(rows.size(), rows.stream().distinct().count(), text);
    assertTrue(text.contains("cards: a = "), text);
    int named = 0;
    for (JsonNode load : placements.get(0).get("loads")) {
      assertEquals(load.get("cards").asInt(), load.get("nics").size());
      named += load.get("nics").size();
    }
    assertEquals(2, named);
  }

  @Test
  void theEditsOfTheFirstPlacementAreListed() throws IOException {
    EditedMachines crowded =
        EditedMachines.of("dgx-h100", 2)
            .given(
                "move nic:mlx5_1 to switch:0000:10:00.0; move nic:mlx5_3 to switch:0000:20:00.0");
    String text = text(report(crowded, ALL, OptionalInt.empty()));
    assertTrue(text.contains("edits for the first placement\n  move nic:"), text);
  }
}
