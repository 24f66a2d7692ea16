package dev.topo.simulator.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.inspect.trace.CallKind;
import dev.topo.inspect.trace.CallKindBuilder;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.inspect.trace.RankTrace.Times;
import dev.topo.model.operation.Collective;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ParallelScaleTest {
  private static final ProcessGroup TENSOR = new ProcessGroup("1", "tp", List.of(0, 1));
  private static final ProcessGroup DATA = new ProcessGroup("2", "dp_shard", List.of(0, 2));
  private static final ProcessGroup ALL = new ProcessGroup("0", "default_pg", List.of(0, 1, 2, 3));

  private static Workload workload(ProcessGroup... groups) {
    RankTrace.Builder trace = new RankTrace.Builder("x", Times.NONE);
    for (ProcessGroup group : groups) {
      CallKind kind = CallKindBuilder.of(Collective.ALL_REDUCE, 1024).in(group).build();
      trace.add(trace.number(kind), 1);
    }
    return TraceMerger.join(List.of(trace.build()), 4);
  }

  @Test
  void groupsOfDataParallelismSpanAllCopies() {
    ParallelScale scale = ParallelScale.of(2, workload(TENSOR, DATA, ALL));
    assertEquals(Set.of("dp_shard"), scale.groups());
    assertEquals(List.of(0, 1), scale.ranks(TENSOR));
    assertEquals(List.of(0, 2, 4, 6), scale.ranks(DATA));
    assertEquals(List.of(0, 1, 2, 3), scale.ranks(ALL));
  }

  @Test
  void withoutSuchANameTheGroupOfAllRanksDoes() {
    ParallelScale scale = ParallelScale.of(2, workload(TENSOR, ALL));
    assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7), scale.ranks(ALL));
    assertEquals(List.of(0, 1), scale.ranks(TENSOR));
  }

  @Test
  void oneCopyIsTheJobItself() {
    assertEquals(List.of(0, 2), ParallelScale.none(4).ranks(DATA));
  }
}
