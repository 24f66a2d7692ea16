package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.measured.Measurement;
import dev.topo.model.fixture.ReferenceData;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.simulator.verdict.HealthyShare;
import dev.topo.simulator.verdict.LinkKind;
import dev.topo.simulator.verdict.LinkLimits;
import dev.topo.simulator.verdict.MeasuredSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The shares of the links' bandwidth against all runs that the project knows. */
class HealthyShareTest {
  /** Their ports or lanes are not published and differ from those of the machine used instead. */
  private static final Set<String> OF_OTHER_LINKS =
      Set.of("KAUST Ibex A100; 2 nodes of 4", "2xRTX 4090");

  /** Raw rates in GB/s of machines in clusters/runs.csv: NVLinks of a GPU, ports of a node. */
  private record Rates(String machine, double nvlink, double portOfGpu, double portsOfNode) {
    double ringGBps(int nodes, int gpus) {
      double ports = portsOfNode > 0 ? portsOfNode : portOfGpu * gpus / nodes;
      return nodes == 1 ? nvlink : Math.min(nvlink, ports);
    }
  }

  private static final List<Rates> CLUSTERS =
      List.of(
          new Rates("h100-cluster01", 450, 50, 0),
          new Rates("alps", 450, 25, 0),
          new Rates("polaris", 300, 0, 50),
          new Rates("NVIDIA B200", 900, 50, 0),
          new Rates("NVIDIA A100-SXM4", 300, 25, 0),
          new Rates("8xH100", 450, 50, 0));

  private record Run(String what, LinkKind kind, int nodes, long bytes, double share) {
    /** Whether the run exceeds the share of its kind and size; true where the table has none. */
    boolean isHealthy() {
      return kind.share(bytes).map(share -> this.share > share.part()).orElse(true);
    }
  }

  private static List<Run> measured() {
    List<Run> runs = new ArrayList<>();
    for (MeasuredSet set : List.of(MeasuredSets.x2(), MeasuredSets.x4())) {
      LinkLimits limits =
          new LinkLimits(set.planner(OptionalInt.empty()).communicator(), Optional.empty());
      for (Measurement one : set.measurements()) {
        if (one.forced().isEmpty()) {
          double share = one.busbwGBps() / limits.ringGBps();
          runs.add(new Run(one.toString(), limits.kind(), 1, one.sizeBytes(), share));
        }
      }
    }
    return runs;
  }

  private static List<Run> published() {
    List<Run> runs = new ArrayList<>();
    for (PublishedRow row : PublishedRow.all()) {
      if (row.canBePredicted() && !OF_OTHER_LINKS.contains(row.machine())) {
        LinkLimits limits = new LinkLimits(row.job(), Optional.empty());
        double share = row.busbwGBps() / limits.ringGBps();
        runs.add(new Run(row.toString(), limits.kind(), row.nodes(), row.sizeBytes(), share));
      }
    }
    return runs;
  }

  private static List<Run> clusters() throws IOException {
    Optional<Path> folder = ReferenceData.ifGiven("measured/clusters");
    List<Run> runs = new ArrayList<>();
    if (folder.isEmpty()) {
      return runs;
    }
    List<String> lines = Files.readAllLines(folder.get().resolve("runs.csv"));
    for (String line : lines.subList(1, lines.size())) {
      // The only commas inside a cell are followed by a space.
      String[] cells = line.split(",(?! )", -1);
      String machine = cells[0].replace("\"", "");
      Optional<Rates> rates =
          CLUSTERS.stream().filter(one -> machine.startsWith(one.machine)).findFirst();
      if (rates.isEmpty() || Collective.ofLabel(cells[3].replace("_", "")).isEmpty()) {
        continue;
      }
      int nodes = Integer.parseInt(cells[1]);
      boolean isTcp = cells[5].equals("setting 1");
      LinkKind between = isTcp ? LinkKind.TCP : LinkKind.RDMA;
      LinkKind inside = machine.startsWith("alps") ? LinkKind.NVLINK : LinkKind.NVSWITCH;
      double ring = rates.get().ringGBps(nodes, Integer.parseInt(cells[2]));
      runs.add(
          new Run(
              line,
              nodes == 1 ? inside : between,
              nodes,
              Long.parseLong(cells[6]),
              Double.parseDouble(cells[8]) / ring));
    }
    return runs;
  }

  @Test
  void everyHealthyRunExceedsTheShareOfItsLinks() throws IOException {
    List<Run> runs = new ArrayList<>(measured());
    runs.addAll(published());
    assertEquals(Set.of(LinkKind.values()).size() - 1, kinds(runs), "all but TCP");
    runs.addAll(clusters());
    assertEquals(List.of(), runs.stream().filter(run -> !run.isHealthy()).toList());
  }

  private static long kinds(List<Run> runs) {
    return runs.stream().map(Run::kind).distinct().count();
  }

  /** A share is what the slowest run reaches, not any small number; and so are its nodes. */
  @Test
  void sharesAreThoseOfTheSlowestRuns() throws IOException {
    ReferenceData.given("measured/clusters");
    List<Run> runs = new ArrayList<>(clusters());
    runs.addAll(published());
    runs.addAll(measured());
    for (HealthyShare share : HealthyShare.all()) {
      List<Run> of =
          runs.stream()
              .filter(run -> run.kind().share(run.bytes()).equals(Optional.of(share)))
              .toList();
      double least = of.stream().mapToDouble(Run::share).min().orElseThrow();
      // Between GPUs with a bridge the slowest run is known from a message only.
      double close = share.kind() == LinkKind.NVLINK ? 0.6 : 0.9;
      assertTrue(share.part() >= close * least, share + ": " + least);
      assertEquals(share.nodes(), of.stream().mapToInt(Run::nodes).max().orElseThrow(), share + "");
    }
  }

  @Test
  void noPublishedRunIsAboveWhatItsLinksCarry() {
    for (PublishedRow row : PublishedRow.all()) {
      if (row.canBePredicted() && !OF_OTHER_LINKS.contains(row.machine())) {
        Optional<Double> most =
            new LinkLimits(row.job(), Optional.empty())
                .mostGBps(row.collective(), Algorithm.ofLabel(row.algorithm()));
        assertTrue(most.orElseThrow() > row.busbwGBps(), row + ": " + most);
      }
    }
  }
}
