package dev.topo.hw.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.run.ReplayCall;
import dev.topo.hw.run.ReplayPart;
import dev.topo.hw.run.ReplayPart.Function;
import dev.topo.hw.run.ReplayPlan;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.inspect.trace.TraceFiles;
import dev.topo.model.io.Inputs;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Collective;
import dev.topo.simulator.workload.CallSite;
import dev.topo.simulator.workload.CallTimeline;
import dev.topo.simulator.workload.TraceMerger;
import dev.topo.simulator.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayPlannerTest {
  private static final Path TRACES =
      Path.of(System.getProperty("topo.root"), "src/test/resources/measured/h200-x2-workloads");

  @TempDir private Path folder;
  private Workload workload =
      new Workload(
          List.of(), 1, 0, Optional.empty(), List.of(), Optional.empty(), List.of(), List.of());

  private PlannedReplay plan(boolean hasGaps, Path... files) {
    List<RankTrace> traces = TraceFiles.read(List.of(files), new Inputs(), () -> {});
    CallTimeline timeline = new CallTimeline(traces);
    workload = TraceMerger.join(traces, TraceFiles.worldSize(traces), timeline);
    return new ReplayPlanner(workload, timeline).plan(hasGaps, 5);
  }

  private PlannedReplay plan(String job, boolean hasGaps) {
    return plan(
        hasGaps, TRACES.resolve(job + ".rank0.json.gz"), TRACES.resolve(job + ".rank1.json.gz"));
  }

  private ReplayCall call(PlannedReplay planned, int site) {
    return planned.plan().calls().get(planned.sites().get(site).call().orElseThrow());
  }

  /** Six groups of the same two ranks; each call is there as often as in the traces. */
  @Test
  void aRoundHasTheCallsOfTheJobInItsOrder() {
    PlannedReplay planned = plan("mix", false);
    ReplayPlan plan = planned.plan();
    assertEquals(2, plan.nRanks());
    long calls = 0;
    for (int i = 0; i < planned.sites().size(); i++) {
      CallSite site = workload.sites().get(i);
      Optional<Integer> call = planned.sites().get(i).call();
      if (call.isPresent()) {
        calls += site.count();
        assertEquals(
            site.kind().group().ranks(), plan.groups().get(plan.calls().get(call.get()).group()));
      } else {
        assertEquals("the trace does not say which call it is", planned.sites().get(i).reason());
      }
    }
    assertEquals(calls, plan.steps().size());
    assertTrue(plan.groups().size() >= 4, plan.groups().toString());
    assertTrue(plan.steps().stream().allMatch(step -> step.gapUs() == 0));
  }

  /** Layers of tensor parallelism: what was gathered last is reduced first. */
  @Test
  void gapsAreThoseOfTheJob() {
    List<ReplayPlan.Step> steps = plan("sp", true).plan().steps();
    assertEquals(0, steps.get(0).gapUs());
    double[] gaps = steps.stream().mapToDouble(ReplayPlan.Step::gapUs).sorted().toArray();
    assertTrue(
        gaps[gaps.length / 2] > 50 && gaps[gaps.length / 2] < 2000, gaps[gaps.length / 2] + " us");
  }

  @Test
  void aCollectiveHasTheCountOfNcclsCall() {
    PlannedReplay planned = plan("fsdp", false);
    for (int i = 0; i < planned.sites().size(); i++) {
      CallSite site = workload.sites().get(i);
      ReplayPart part = call(planned, i).parts().get(1).get(0);
      Function expected =
          site.kind().operation().equals(Optional.of(Collective.ALL_GATHER))
              ? Function.ALL_GATHER
              : Function.REDUCE_SCATTER;
      assertEquals(expected, part.function());
      assertEquals(DataType.BFLOAT16, part.type());
      assertEquals(site.kind().bytes(), part.count() * 2 * 2);
    }
    // Calls that ran beside computation are the same ones.
    assertEquals(2, planned.plan().calls().size());
    assertEquals(4, planned.sites().size());
  }

  @Test
  void partsOfDifferentSizesAreSendsAndReceivesThatMatch() {
    PlannedReplay planned = plan("mix", false);
    boolean hasUneven = false;
    for (ReplayCall call : planned.plan().calls()) {
      for (int from = 0; from < 2; from++) {
        for (ReplayPart part : call.parts().get(from)) {
          if (part.function() == Function.SEND) {
            ReplayPart answer =
                new ReplayPart(
                    Function.RECEIVE,
                    part.count(),
                    part.type(),
                    part.operator(),
                    from,
                    offset(call, part.peer(), from));
            assertTrue(call.parts().get(part.peer()).contains(answer), answer.toString());
            hasUneven |= part.count() != call.parts().get(from).get(0).count();
          }
        }
      }
    }
    assertTrue(hasUneven);
  }

  /** Where a rank puts what it receives from another one: behind the parts before. */
  private static long offset(ReplayCall call, int rank, int other) {
    return call.parts().get(rank).stream()
        .filter(part -> part.function() == Function.RECEIVE && part.peer() < other)
        .mapToLong(ReplayPart::count)
        .sum();
  }

  @Test
  void aTableIsReplayedOnceARoundForEachRow() throws IOException {
    Path table = folder.resolve("calls.csv");
    Files.writeString(
        table,
        """
        group,operation,bytes,datatype,count
        0-3,gather,64M,bfloat16,12
        "1,3",all_reduce,1M,float,300
        "2",all_reduce,1M,float,3
        """);
    PlannedReplay planned = plan(false, table);
    assertEquals(4, planned.plan().nRanks());
    assertEquals(2, planned.plan().steps().size());
    assertTrue(
        planned.sites().stream()
            .anyMatch(site -> site.reason().equals("a group of one rank has nothing to send")));
    ReplayCall gather =
        planned.plan().calls().stream()
            .filter(call -> call.name().startsWith("Gather"))
            .findFirst()
            .orElseThrow();
    assertEquals(3, gather.parts().get(0).size(), "the root copies its own part itself");
    assertEquals(
        List.of(
            new ReplayPart(Function.SEND, 16 << 20, DataType.INT8, ReductionOperator.SUM, 0, 0)),
        gather.parts().get(3));
  }
}
