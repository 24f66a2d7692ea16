package dev.topo.simulator.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.TopologyFormatException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SweepPlanTest {
  private static final String MACHINE =
      "machines: [rtx3090-2-bridged.xml]\ncollectives: all_reduce\nsizes: 1M\n";

  /** Axes with as many values each. */
  private static String axes(int axes, int values) {
    String all =
        IntStream.range(0, values).mapToObj(v -> "v" + v + ": ").collect(Collectors.joining(", "));
    return "axes:\n"
        + IntStream.range(0, axes)
            .mapToObj(a -> "  a%d: {%s}\n".formatted(a, all))
            .collect(Collectors.joining());
  }

  private static String fault(String spec) {
    return String.valueOf(
        assertThrows(TopologyFormatException.class, () -> Sweeps.plan(spec)).getMessage());
  }

  @Test
  void manyDesignsAreCountedNotListed() {
    SweepPlan plan = Sweeps.plan(MACHINE + axes(12, 8) + "nodes: [1, 2]\n");
    assertEquals(1L << 36, plan.designs());
    assertEquals(1L << 37, plan.size());
    assertEquals(1L << 37, plan.rows());
    assertEquals(1L << 27, plan.parts());
    assertEquals(1L << 30, Sweeps.plan(MACHINE + axes(6, 32)).designs());
    long number = 0;
    List<Integer> digits = List.of(7, 0, 1, 5, 2, 6, 3, 4, 7, 7, 0, 5);
    for (int digit : digits) {
      number = 8 * number + digit;
    }
    assertEquals(
        digits.stream().map(digit -> "v" + digit).toList(),
        plan.variant(2 * number + 1).design().values());
    assertEquals(2, plan.variant(2 * number + 1).nodes());
  }

  @Test
  void whatCannotBeRunIsRefusedBeforeAnythingIsMade() {
    SweepPlan plan = Sweeps.plan(MACHINE + axes(12, 8));
    TopologyFormatException e = assertThrows(TopologyFormatException.class, plan::chunks);
    assertEquals(
        "small.yaml: 68719476736 variants, expected at most 1024000000 for a run: fewer axes or values",
        e.getMessage());
    String nodes =
        IntStream.rangeClosed(1, 5_000).mapToObj(String::valueOf).collect(Collectors.joining(", "));
    String fabrics =
        IntStream.range(0, 1_000)
            .mapToObj(f -> "f" + f + ": wide")
            .collect(Collectors.joining(", "));
    SweepPlan wide = Sweeps.plan(MACHINE + "nodes: [" + nodes + "]\nfabrics: {" + fabrics + "}\n");
    assertEquals(5_000_000, wide.size());
    e = assertThrows(TopologyFormatException.class, wide::chunkSize);
    assertTrue(
        String.valueOf(e.getMessage()).contains("5000000 rows in a part, expected at most 4194304"),
        e.getMessage());
  }

  @Test
  void whatCannotBeCountedIsRefused() {
    assertEquals(
        "small.yaml: more than 9223372036854775807 rows, expected fewer axes or values",
        fault(MACHINE + axes(21, 8)));
    assertTrue(fault(MACHINE.replace("1M", "[1M, 2M]") + axes(31, 4)).contains("more than"));
    String placed = axes(6, 8) + "  place: {placements: 2}\n";
    assertEquals(
        "small.yaml:11:10: axis place: placements of 262144 machines, expected at most 65536: fewer values of the"
            + " axes before it",
        fault(MACHINE + placed));
  }

  /** Files are read again by each shard. */
  @Test
  void aFileThatIsNoRegularOneIsRefused() {
    assertTrue(
        fault(MACHINE.replace("rtx3090-2-bridged.xml", "/dev/null"))
            .contains("small.yaml:1:12: '/dev/null': no regular file, expected a topology file"));
  }
}
