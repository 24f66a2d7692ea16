package dev.topo.simulator.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.evaluate.Prediction.Source;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HowToTest {
  private static final NcclSettings OWN = NcclSettings.parse(List.of("NCCL_NVLS_ENABLE=0"));
  private static final Alternative NOW = Variants.of(Setup.of(Buffers.PLAIN), 150);
  private static final Setup CHANNELS = Setup.of(Buffers.PLAIN).with(Setup.CHANNELS, 32);

  @Test
  void bothCommandsHaveTheSettingsOfTheJob() {
    Alternative best = Variants.of(new Setup(CHANNELS.settings(), Buffers.SYMMETRIC), 100);
    Check run = Check.byRun(NOW, best, OWN, 2);
    String call = "topo run all_gather -t 2 -b 67108864 -e 67108864 -n 40 -w 10";
    assertEquals(call + " --env NCCL_NVLS_ENABLE=0", run.before());
    assertEquals(call + " --env NCCL_MIN_CTAS=32 --env NCCL_NVLS_ENABLE=0 -R 2", run.after());
  }

  @Test
  void aPairIsForcedToCheckIt() {
    Alternative best =
        Variants.of(
            Setup.of(Buffers.PLAIN),
            Optional.of(new Pair(Algorithm.RING, Protocol.LL128)),
            100,
            Source.CALIBRATION);
    assertTrue(
        Check.byRun(NOW, best, OWN, 2).after().endsWith("--algorithm Ring --protocol LL128"));
    assertEquals(
        "mpirun -np 2 -x NCCL_NVLS_ENABLE=0 -x NCCL_ALGO=Ring -x NCCL_PROTO=LL128"
            + " all_gather_perf -b 67108864 -e 67108864 -n 40 -w 10",
        Check.byNcclTests(NOW, best, OWN, 2).after());
  }

  @Test
  void anOperationIsTriedAtAllSizes() {
    assertEquals(
        "topo run all_reduce -t 8 -b 1M -e 1G -f 4 -n 40 -w 10 --env NCCL_MIN_CTAS=32",
        Check.of(Collective.ALL_REDUCE, CHANNELS, NcclSettings.DEFAULTS, 8));
  }

  @Test
  void onlySymmetricWindowsAreRegisteredAsSuch() {
    assertEquals(List.of(), HowTo.pytorch(Buffers.PLAIN));
    assertTrue(HowTo.pytorch(Buffers.SYMMETRIC).get(4).endsWith("symm=True)"));
    assertEquals("backend.register_mem_pool(pool)", HowTo.pytorch(Buffers.REGISTERED).get(4));
    assertEquals("nccl.conf: NCCL_MIN_CTAS=32", HowTo.settings(CHANNELS).get(0).toString());
  }
}
