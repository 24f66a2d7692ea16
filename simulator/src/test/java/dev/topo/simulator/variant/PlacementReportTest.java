package dev.topo.simulator.variant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.edit.NicPlacement;
import dev.topo.inspect.edit.NicPlacements;
import dev.topo.inspect.edit.PlacementSelection;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.simulator.fixture.EditedMachines;
import dev.topo.simulator.fixture.TestJobs;
import dev.topo.simulator.variant.Score.RankedPlacement;
import dev.topo.simulator.variant.Score.Ranking;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Placements of network cards in jobs of two machines. */
class PlacementReportTest {
  private static final int MANY = 2000;
  private static final CollectiveCall LARGE = TestJobs.allReduce(1L << 30);

  private static PlacementReport report(EditedMachines machines) {
    NicPlacements cards =
        new NicPlacements(machines.machine(List.of()).machine(), OptionalInt.empty());
    PlacementSelection selection = cards.nearest(MANY);
    List<RankedPlacement> tried =
        selection.placements().stream()
            .map(
                placement ->
                    RankedPlacement.of(placement, machines.after(placement.moves()), LARGE))
            .toList();
    return new PlacementReport(
        "a job", "", cards, selection, machines.before(), tried, LARGE, Ranking.BUSBW);
  }

  /** Symmetry leaves 16 of the 1,107 placements to search: one of each kind is in the answer. */
  @Test
  void everyPlacementOfEightCardsIsTriedEqualOnesOnce() {
    PlacementReport report = report(EditedMachines.of("dgx-h100", 2));
    assertEquals(1107, report.selection().total());
    List<RankedPlacement> ranked = report.ranked();
    assertEquals(16, ranked.size());
    assertTrue(ranked.get(0).placement().isPresent());
    assertEquals(384, ranked.get(0).score().ringGBps());
    double last = Double.POSITIVE_INFINITY;
    for (RankedPlacement one : ranked) {
      assertTrue(one.score().ringGBps() <= last);
      last = one.score().ringGBps();
      assertEquals(8, one.placement().loads().stream().mapToInt(NicPlacement.Load::cards).sum());
    }
  }

  /** Busbw is what placements are ranked by, in the digits that are shown. */
  @Test
  void placementsAreRankedByWhatIsShown() {
    PlacementReport report = report(EditedMachines.of("pcie-6-uneven", 2));
    assertEquals(9, report.ranked().size());
    double last = Double.POSITIVE_INFINITY;
    int place = 0;
    for (int i = 0; i < report.ranked().size(); i++) {
      double busbw = report.ranked().get(i).score().busbwGBps();
      assertTrue(busbw < last * 1.0001, report.ranked().toString());
      assertTrue(report.places().get(i) >= place, report.places().toString());
      last = busbw;
      place = report.places().get(i);
    }
  }

  @Test
  void theMovesOfTheFirstPlacementLeadToIt() {
    EditedMachines crowded =
        EditedMachines.of("dgx-h100", 2)
            .given(
                "move nic:mlx5_1 to switch:0000:10:00.0; move nic:mlx5_3 to switch:0000:20:00.0");
    NicPlacement best = report(crowded).ranked().get(0).placement();
    assertTrue(crowded.before().bandwidthGBps(GraphKind.RING) < 384);
    assertEquals(384, crowded.after(best.moves()).bandwidthGBps(GraphKind.RING));
  }
}
