package dev.topo.simulator.variant;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.simulator.variant.SplitChanges.Changed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which communicators are told together, and what changes for them. */
class SplitChangesTest {
  private static final JobAnswer ANSWER =
      new JobAnswer(Optional.empty(), 2, ChannelCounts.NONE, List.of(), Map.of(), Optional.empty());
  private static final JobAnswer FAILED =
      JobAnswer.failed(new JobFailure(JobFailure.Kind.NCCL, "no path"));

  private static List<String> failures(Changed changed) {
    return changed.changes().stream()
        .map(change -> change.failure().map(JobFailure::reason).orElse(""))
        .toList();
  }

  @Test
  void aWholeJobHasNoLabel() {
    SplitChanges changes = new SplitChanges(List.of(new Communicators<>(List.of(), ANSWER)));
    changes.add(List.of(new Communicators<>(List.of(), FAILED)));
    changes.addFailure("not possible");
    List<Changed> all = changes.byCommunicator();
    assertEquals(List.of(""), all.stream().map(Changed::label).toList());
    assertEquals(List.of("no path", "not possible"), failures(all.get(0)));
  }

  @Test
  void communicatorsThatAVariantTellsApartAreApart() {
    SplitChanges changes =
        new SplitChanges(List.of(new Communicators<>(List.of(0, 1, 2, 3), ANSWER)));
    changes.add(
        List.of(
            new Communicators<>(List.of(0, 2, 3), ANSWER),
            new Communicators<>(List.of(1), FAILED)));
    List<Changed> all = changes.byCommunicator();
    assertEquals(List.of("0,2-3", "1"), all.stream().map(Changed::label).toList());
    assertEquals(List.of(""), failures(all.get(0)));
    assertEquals(List.of("no path"), failures(all.get(1)));
  }

  @Test
  void aCommunicatorThatAVariantLeavesOutFails() {
    SplitChanges changes = new SplitChanges(List.of(new Communicators<>(List.of(0, 1), ANSWER)));
    changes.add(List.of(new Communicators<>(List.of(0), ANSWER)));
    List<Changed> all = changes.byCommunicator();
    assertEquals(List.of("0", "1"), all.stream().map(Changed::label).toList());
    assertEquals(List.of("no such communicator"), failures(all.get(1)));
  }
}
