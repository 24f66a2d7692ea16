package dev.topo.search.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** That the verifier sees what it is there for. */
class ConnectionVerifierTest {
  private static final int NONE = Connection.NONE;

  private static Optional<String> ring(List<Integer> prev, List<Integer> next) {
    return ConnectionVerifier.ringViolation(next.size(), prev::get, next::get);
  }

  private static Optional<String> tree(Trees.Links... links) {
    return ConnectionVerifier.treeViolation(links.length, rank -> links[rank]);
  }

  private static Trees.Links links(int up, int... downs) {
    return new Trees.Links(
        up,
        downs.length > 0 ? downs[0] : NONE,
        downs.length > 1 ? downs[1] : NONE,
        downs.length > 2 ? downs[2] : NONE);
  }

  @Test
  void takesARing() {
    assertEquals(Optional.empty(), ring(List.of(2, 0, 1), List.of(1, 2, 0)));
    assertEquals(Optional.empty(), ring(List.of(0), List.of(0)));
  }

  @Test
  void rejectsTwoCycles() {
    assertEquals(
        Optional.of("comes back to rank 0 after 2 of 4 ranks"),
        ring(List.of(1, 0, 3, 2), List.of(1, 0, 3, 2)));
  }

  @Test
  void rejectsNeighboursThatDisagree() {
    assertEquals(
        Optional.of("rank 0 sends to 1, which receives from 2"),
        ring(List.of(2, 2, 1), List.of(1, 2, 0)));
  }

  @Test
  void takesATree() {
    assertEquals(Optional.empty(), tree(links(NONE, 1, 2), links(0), links(0, 3), links(2)));
  }

  @Test
  void rejectsTwoRoots() {
    assertEquals(Optional.of("has roots 0 and 1"), tree(links(NONE), links(NONE)));
  }

  @Test
  void rejectsACycleBesideTheTree() {
    assertEquals(
        Optional.of("reaches 1 of 3 ranks from root 0"),
        tree(links(NONE), links(2, 2), links(1, 1)));
    assertEquals(Optional.of("has no root"), tree(links(1, 1), links(0, 0)));
  }

  @Test
  void rejectsAChildOfAnother() {
    assertEquals(
        Optional.of("rank 0 has child 2, whose parent is 1"),
        tree(links(NONE, 1, 2), links(0), links(1)));
  }

  @Test
  void rejectsAChildThatIsListedTwice() {
    assertEquals(
        Optional.of("reaches rank 1 twice, again from 0"), tree(links(NONE, 1, 1), links(0)));
  }
}
