package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertAll;

import dev.topo.model.settings.NcclSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What other NCCL versions answer for the reference machines. {@code -Dtest.nccl=2.27.5,2.30.7} and
 * {@code -Dtest.sets=own} narrow the run down.
 */
class VersionReferenceTest {
  private static Stream<String> versions() {
    return Arrays.stream(System.getProperty("test.nccl", "2.28.3").split(",", -1));
  }

  @ParameterizedTest
  @MethodSource("versions")
  void paths(String version) {
    compare(version, PathReferenceTest::compare);
  }

  @ParameterizedTest
  @MethodSource("versions")
  void graphs(String version) {
    compare(
        version,
        (set, cases) -> GraphReferenceTest.compare(set, cases, NcclSettings.DEFAULTS, 1),
        (set, cases) -> GraphReferenceTest.compare(set, cases, NcclSettings.DEFAULTS, 2),
        (set, cases) -> GraphReferenceTest.compare(set, cases, NcclSettings.DEFAULTS, 4));
  }

  @ParameterizedTest
  @MethodSource("versions")
  void connections(String version) {
    compare(
        version,
        (set, cases) -> ConnectReferenceTest.compare(set, cases, 1),
        (set, cases) -> ConnectReferenceTest.compare(set, cases, 4));
  }

  @ParameterizedTest
  @MethodSource("versions")
  void tuning(String version) {
    compare(
        version,
        (set, cases) -> TuningReferenceTest.compare(set, cases, NcclSettings.DEFAULTS, 1),
        (set, cases) -> TuningReferenceTest.compare(set, cases, NcclSettings.DEFAULTS, 4));
  }

  @SafeVarargs
  private static void compare(
      String version, BiConsumer<String, List<ReferenceCase>>... comparisons) {
    List<Executable> all = new ArrayList<>();
    for (String set : System.getProperty("test.sets", "own").split(",", -1)) {
      for (BiConsumer<String, List<ReferenceCase>> comparison : comparisons) {
        all.add(
            () -> comparison.accept(version + " " + set, ReferenceSets.ofVersion(version, set)));
      }
    }
    assertAll(all);
  }
}
