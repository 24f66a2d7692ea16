package dev.topo.reference;

import dev.topo.model.job.NcclSettings;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs with in-network reduction (CollNet) against what NCCL's own code answers. */
class CollNetReferenceTest {
  private static final NcclSettings SETTINGS = NcclSettings.parse(List.of("NCCL_COLLNET_ENABLE=1"));
  private static final int[] NODES = {2, 4};

  private static List<ReferenceCase> cases() {
    return ReferenceSets.cases(
        ReferenceSets.folder("collnet"), machine -> machine.resolve("topo.xml"));
  }

  @Test
  void graphs() {
    GraphReferenceTest.compare("collnet", cases(), SETTINGS, NODES);
  }

  @Test
  void connections() {
    ConnectReferenceTest.compare("collnet", cases(), SETTINGS, NODES);
  }

  @Test
  void tuning() {
    TuningReferenceTest.compare("collnet", cases(), SETTINGS, NODES);
  }
}
