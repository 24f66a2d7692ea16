package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.inspect.log.Fact;
import dev.topo.inspect.log.Fact.Topic;
import dev.topo.inspect.log.LogComparison;
import dev.topo.inspect.log.NcclLogReader;
import dev.topo.model.Topology;
import dev.topo.model.fixture.ReferenceData;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.kernel.CallPaths;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.tuning.Communicator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines of NCCL's log about calls on registered buffers and symmetric windows. */
class BuffersLogTest {
  private static final String PREFIX = "host:1:1 [0] NCCL INFO ";

  private static Communicator communicator(Path file, String... settings) {
    Topology topology = new TopologyReader().read(file, GpuSelection.ALL, new Diagnostics());
    return Communicator.of(
        Job.ofEqual(new Machine(topology, NcclSettings.parse(List.of(settings))), 1));
  }

  private static List<Fact> choices(Communicator communicator, Buffers buffers, String... lines) {
    int nRanks = communicator.facts().nRanks();
    StringBuilder log =
        new StringBuilder(PREFIX)
            .append(
                "comm 0x1 rank 0 nRanks %s nNodes 1 localRanks %s localRank 0 MNNVL 0\n"
                    .formatted(nRanks, nRanks));
    for (String line : lines) {
      log.append(PREFIX).append(line).append('\n');
    }
    return LogComparison.of(
            communicator, NcclLogReader.parse(log.toString()), CallPaths.of(communicator), buffers)
        .facts()
        .stream()
        .filter(fact -> fact.topic() == Topic.CHOICE)
        .toList();
  }

  /**
   * Lines as real NCCL wrote them for two H200; that a kernel ran shows that there were windows.
   */
  @Test
  void realPicksAgree() throws IOException {
    Path folder = ReferenceData.of("measured/h200-x2-processes");
    List<String> rows = Files.readAllLines(folder.resolve("symmetric-picks.csv"));
    String[] lines =
        rows.stream()
            .skip(1)
            .map(row -> row.split(",", -1))
            .map(
                cells ->
                    "%s [Symmetric]: %s Bytes -> Kernel %s nchannels %s nthreads %s nWorks 1"
                        .formatted((Object[]) cells))
            .toArray(String[]::new);
    Communicator communicator = communicator(folder.resolve("topo.xml"), "NCCL_NVLS_ENABLE=0");
    List<Fact> facts = choices(communicator, Buffers.PLAIN, lines);
    assertEquals(50, facts.size());
    assertEquals(List.of(), facts.stream().filter(fact -> !fact.isEqual()).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // As 2.28 writes it, and as 2.27 does; then other channels, another kernel, an algorithm.
        "SYMMETRIC | AllReduce [Symmetric]: 1048576 Bytes -> Kernel AllReduce_RSxLDMC_AGxSTMC nchannels 1 nthreads 512 nWorks 1 | true",
        "SYMMETRIC | AllReduce [Symmetric]: 1048576 Bytes -> Kernel AllReduce_RSxLDMC_AGxSTMC nchannels 1 nthreads 512 | true",
        "SYMMETRIC | AllReduce [Symmetric]: 1048576 Bytes -> Kernel AllReduce_RSxLDMC_AGxSTMC nchannels 2 nthreads 512 nWorks 1 | false",
        "SYMMETRIC | AllReduce [Symmetric]: 1048576 Bytes -> Kernel AllReduce_RSxLD_AGxST nchannels 1 nthreads 512 nWorks 1 | false",
        "SYMMETRIC | AllReduce: 1048576 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..23} | false",
        "PLAIN | AllReduce: 1048576 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..23} | true",
        "SYMMETRIC | Broadcast: 268435456 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..15} | true",
        "PLAIN | Broadcast: 268435456 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..15} | false",
        "REGISTERED | AllReduce: 268435456 Bytes -> Algo NVLS proto SIMPLE channel{Lo..Hi}={0..3} | true",
        "REGISTERED | AllReduce: 268435456 Bytes -> Algo NVLS proto SIMPLE channel{Lo..Hi}={0..15} | false"
      })
  void aLineAgreesWithThePathOfItsBuffers(Buffers buffers, String line, boolean agrees) {
    Communicator communicator =
        communicator(Path.of(System.getProperty("topo.root"), "topologies", "dgx-h100.xml"));
    List<Fact> facts = choices(communicator, buffers, line);
    assertEquals(1, facts.size());
    assertEquals(agrees, facts.get(0).isEqual(), facts.toString());
  }

  /** The log does not say whether a call was in place, where rings copy. */
  @ParameterizedTest
  @CsvSource({"15, true", "23, true", "14, false"})
  void callsInPlaceAndOutOfPlaceAgree(int lastChannel, boolean agrees) {
    Communicator communicator =
        communicator(
            Path.of(System.getProperty("topo.root"), "topologies", "dgx-h100.xml"),
            "NCCL_NVLS_ENABLE=0");
    String line =
        "AllReduce: 1073741824 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..%s}"
            .formatted(lastChannel);
    List<Fact> facts = choices(communicator, Buffers.REGISTERED, line);
    assertEquals(agrees, facts.get(0).isEqual(), facts.toString());
  }
}
