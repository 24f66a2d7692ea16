package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.measured.Measurement;
import dev.topo.model.operation.Operation;
import dev.topo.search.bound.JobBounds;
import dev.topo.search.bound.OperationBound;
import dev.topo.search.bound.OperationBound.LinkScope;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.Paths;
import dev.topo.simulator.verdict.MeasuredSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The bounds on the time of operations against all that was measured. */
class BoundTest {
  /** Their ports or lanes are not published and differ from those of the machine used instead. */
  private static final Set<String> OF_OTHER_LINKS =
      Set.of("KAUST Ibex A100; 2 nodes of 4", "2xRTX 4090");

  private final Map<Connection, JobBounds> bounds = new IdentityHashMap<>();
  private final Map<JobBounds, Map<Operation, Optional<OperationBound>>> known =
      new IdentityHashMap<>();
  private final List<String> faster = new ArrayList<>();
  private int compared;
  private double most;

  private void compare(
      String what,
      Connection connection,
      Optional<Paths> actual,
      Operation operation,
      double bytes,
      double timeUs) {
    JobBounds of =
        bounds.computeIfAbsent(
            connection, unseen -> new JobBounds(connection, actual, LinkScope.PATHS));
    known
        .computeIfAbsent(of, unseen -> new HashMap<>())
        .computeIfAbsent(operation, of::bound)
        .ifPresent(
            bound -> {
              double share = bound.share(bytes, timeUs);
              compared++;
              most = Math.max(most, share);
              if (share > 1) {
                faster.add("%s: %.2f of the bound, %s".formatted(what, share, bound));
              }
            });
  }

  @Test
  void noMeasuredCallIsFasterThanItsBound() {
    for (MeasuredSet set :
        List.of(
            MeasuredSets.x2(),
            MeasuredSets.x4(),
            MeasuredSets.threadsX2(),
            MeasuredSets.threadsX4(),
            MeasuredSets.graphsX2(),
            MeasuredSets.graphsX4(),
            MeasuredSets.channels(),
            MeasuredSets.channelsFromMemory(),
            MeasuredSets.declared("chain"),
            MeasuredSets.declared("pairs2s"),
            MeasuredSets.declared("nvs6-amd"))) {
      var planner = set.planner(OptionalInt.empty());
      for (Measurement one : set.measurements()) {
        compare(
            set.name() + " " + one,
            planner.communicator().connection(),
            planner.actual(),
            one.collective(),
            one.sizeBytes(),
            one.timeUs());
      }
    }
    Connection two = MeasuredSets.x2().planner(OptionalInt.empty()).communicator().connection();
    List<ProcessRuns.Run> runs = new ArrayList<>(ProcessRuns.all());
    runs.addAll(ProcessRuns.betweenSizes());
    for (ProcessRuns.Run run : runs) {
      double timeUs = Math.min(run.timeUs(), run.inPlaceUs());
      compare(run.toString(), two, Optional.empty(), run.operation(), run.bytes(), timeUs);
    }
    for (PublishedRow row : PublishedRow.all()) {
      if (row.canBePredicted() && !OF_OTHER_LINKS.contains(row.machine())) {
        Connection connection = row.job().connection();
        compare(
            row.toString(),
            connection,
            Optional.empty(),
            row.collective(),
            row.sizeBytes(),
            row.timeUs());
      }
    }
    int inProject = compared;
    List<ClusterRow> clusters = new ArrayList<>(ClusterRow.from(1));
    clusters.addAll(ClusterRow.sockets());
    for (ClusterRow row : clusters) {
      compare(
          row.cluster() + " " + row.nodes() + " nodes",
          row.connection(),
          Optional.empty(),
          row.operation(),
          row.bytes(),
          row.timeUs());
    }
    assertEquals(List.of(), faster);
    assertTrue(inProject > 1000 && most > 0.5 && most <= 1, inProject + " calls, " + most);
    System.out.printf("bound: %d measured calls, the fastest at %.2f of it%n", compared, most);
  }
}
