package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.tuning.CommFacts;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Estimate;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What {@link Communicator} makes of jobs for which there are no reference answers. */
class CommunicatorTest {
  private static Job job(String name, int machines, String... settings) {
    Path folder = ReferenceSets.topologies();
    ReferenceCase file = new ReferenceCase(folder, folder.resolve(name + ".xml"));
    return Job.ofEqual(
        new Machine(file.topology(), NcclSettings.parse(List.of(settings))), machines);
  }

  @Test
  void inNetworkReductionIsTunedWhereItIsConnected() {
    assertTrue(Communicator.of(job("hgx-h100-sharp", 2)).facts().collNet().isEmpty());
    Communicator sharp = Communicator.of(job("hgx-h100-sharp", 2, "NCCL_COLLNET_ENABLE=1"));
    CommFacts.CollNet net = sharp.facts().collNet().orElseThrow();
    assertEquals(sharp.connection().nvls().nHeads(), net.heads());
    assertEquals(sharp.connection().collNet().orElseThrow().heads(0).size(), net.directHeads());
    List<Algorithm> algorithms =
        sharp.tuner().estimates(CollectiveCall.of(Collective.ALL_REDUCE, 1L << 30)).stream()
            .map(Estimate::algorithm)
            .distinct()
            .toList();
    assertTrue(algorithms.contains(Algorithm.COLLNET_DIRECT), algorithms::toString);
    assertTrue(algorithms.contains(Algorithm.NVLS), algorithms::toString);
  }

  @Test
  void headsAreThoseOfTheNetworkWhereThereIsNoNvls() {
    Communicator sharp =
        Communicator.of(job("hgx-h100-sharp", 2, "NCCL_COLLNET_ENABLE=1", "NCCL_NVLS_ENABLE=0"));
    CommFacts.CollNet net = sharp.facts().collNet().orElseThrow();
    assertEquals(net.directHeads(), net.heads());
    assertTrue(net.heads() > 0);
  }

  @Test
  void asksForTheGraphsOfEqualMachinesOnce() {
    AtomicInteger asked = new AtomicInteger();
    Job job = job("dgx-h100", 4);
    Communicator communicator =
        Communicator.of(
            job,
            (domain, settings, inputs) -> {
              asked.incrementAndGet();
              return GraphSearch.findAll(domain, settings, inputs);
            });
    assertEquals(1, asked.get());
    assertEquals(List.of(8, 8, 8, 8), communicator.facts().localRanks());
    assertEquals(job, communicator.job());
  }
}
