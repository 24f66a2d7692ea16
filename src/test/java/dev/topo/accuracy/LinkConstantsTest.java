package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.accuracy.PublishedRow.Use;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Quantiles;
import dev.topo.search.path.LinkTable;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.evaluate.ChannelRoutes;
import dev.topo.simulator.network.NetworkCalibration.NetworkConstant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The numbers in links.txt are what the published rows give that they are chosen by. */
@Tag("slow")
class LinkConstantsTest {
  private static final double TOLERANCE = 0.05;

  private static ChannelRoutes routes(PublishedRow row) {
    return new ChannelRoutes(row.job().connection(), row.job().job().machines().get(0).settings());
  }

  /** The links between CPUs hold such rows up, so that a row tells their rate. */
  @Test
  void ratesBetweenCpusAreWhatTheirRowsGive() {
    Map<Double, Double> byConstant = new TreeMap<>();
    Map<Double, Integer> rows = new HashMap<>();
    for (PublishedRow row : PublishedRow.all()) {
      if (row.use() == Use.LINKS) {
        ChannelRoutes routes = routes(row);
        int channels = row.job().facts().nChannels();
        assertEquals(
            LinkType.SYS, routes.busiestOfRings(channels).orElseThrow().type(), row.machine());
        double predicted =
            row.predict(CalibrationFile.shipped("pcie").orElseThrow()).orElseThrow().busbwGBps();
        double rate = 1000 / routes.psPerByte(betweenCpus(routes).get(0), false);
        byConstant.merge(rate, rate * row.busbwGBps() / predicted, Double::sum);
        rows.merge(rate, 1, Integer::sum);
      }
    }
    assertEquals(Set.of(8.0, 12.8, 42.7), rounded(byConstant.keySet()));
    byConstant.forEach((rate, sum) -> assertEquals(rate, sum / rows.get(rate), TOLERANCE * rate));
  }

  private static Set<Double> rounded(Set<Double> rates) {
    return rates.stream().map(rate -> Math.round(10 * rate) / 10.0).collect(Collectors.toSet());
  }

  private static List<Integer> betweenCpus(ChannelRoutes routes) {
    LinkTable table = routes.linkTable();
    return IntStream.range(0, table.size())
        .filter(link -> table.type(link) == LinkType.SYS)
        .boxed()
        .toList();
  }

  /** Two times of one call, by P2P and through the host's memory. */
  @Test
  void theFactorOfTheHostsMemoryIsWhatItsRowsGive() {
    List<MachineRow> rows =
        MachineRow.all().stream().filter(row -> row.use() == Use.LINKS).toList();
    assertEquals(2, rows.size());
    MachineRow direct = rows.get(0);
    MachineRow throughHost = rows.get(1);
    assertFalse(direct.env().isEmpty());
    assertTrue(throughHost.env().isEmpty());
    double measured = throughHost.measuredUs() / direct.measuredUs();
    double predicted = throughHost.predict().timeUs() / direct.predict().timeUs();
    assertEquals(1, predicted / measured, TOLERANCE);
  }

  /** In the median of five operations, of the bandwidth that NCCL plans with between two CPUs. */
  @Test
  void theShareOfAHostBridgeIsWhatEightA100Reach() {
    List<PublishedRow> rows =
        PublishedRow.all().stream().filter(row -> row.machine().equals("8xA100 PCIe")).toList();
    assertEquals(5, rows.size());
    ChannelRoutes routes = routes(rows.get(0));
    double planned = routes.linkTable().bwGBps(betweenCpus(routes).get(0));
    double reached =
        Quantiles.of(rows.stream().mapToDouble(PublishedRow::busbwGBps).toArray(), 0.5);
    double share = NetworkConstant.SHARE_BRIDGE.typical();
    assertEquals(share, reached / planned, TOLERANCE * share);
  }
}
