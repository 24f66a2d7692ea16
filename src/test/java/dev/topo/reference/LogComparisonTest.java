package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.log.Fact;
import dev.topo.inspect.log.Fact.Topic;
import dev.topo.inspect.log.LogComparison;
import dev.topo.inspect.log.NcclLogReader;
import dev.topo.model.fixture.ReferenceData;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.tuning.Communicator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Our answers against logs that real NCCL 2.28.9 wrote on NVIDIA H200 GPUs, fact by fact. */
class LogComparisonTest {
  private static Communicator communicator(Path topology, int machines) {
    ReferenceCase file = new ReferenceCase(topology.getParent(), topology);
    NcclSettings settings = NcclSettings.parse(List.of("NCCL_NVLS_ENABLE=0"));
    return Communicator.of(Job.ofEqual(new Machine(file.topology(), settings), machines));
  }

  private static LogComparison compare(String name, String topology, int machines)
      throws IOException {
    Path folder = ReferenceData.of("measured/" + name);
    LogComparison comparison =
        LogComparison.of(
            communicator(folder.resolve(topology), machines),
            NcclLogReader.read(folder.resolve("info.log"), new Inputs()));
    System.out.println(
        "log "
            + name
            + ", real NCCL: "
            + comparison.counts().entrySet().stream()
                .map(
                    e ->
                        "%s %d/%d"
                            .formatted(
                                e.getKey().label(), e.getValue().equal(), e.getValue().compared()))
                .collect(Collectors.joining(", ")));
    comparison.notCompared().forEach(line -> System.out.println("  not compared: " + line));
    return comparison;
  }

  @Test
  void fourGpusOfOneHost() throws IOException {
    LogComparison comparison = compare("h200-x4", "topo.xml", 1);
    assertEquals(List.of(), comparison.differences());
    assertEquals(
        Set.of(
            Topic.SYSTEM,
            Topic.PATH,
            Topic.GRAPH,
            Topic.GRAPH_CHANNEL,
            Topic.CHANNEL,
            Topic.RING,
            Topic.TREE,
            Topic.THREADS,
            Topic.MODEL,
            Topic.CHOICE),
        comparison.counts().keySet());
  }

  @Test
  void fourGpusAsTwoHosts() throws IOException {
    LogComparison comparison = compare("h200-2x2-hosts", "topo.rank0.xml", 2);
    assertEquals(List.of(), comparison.differences());
    assertEquals(
        Set.of(Topic.COMMUNICATOR, Topic.CHANNEL, Topic.RING, Topic.TREE),
        comparison.counts().keySet());
  }

  @Test
  void aLogOfAnotherJobDiffers() throws IOException {
    Path folder = ReferenceData.of("measured/h200-x4");
    LogComparison comparison =
        LogComparison.of(
            communicator(ReferenceSets.topologies().resolve("dgx-h100.xml"), 1),
            NcclLogReader.read(folder.resolve("info.log"), new Inputs()));
    Set<Topic> different =
        comparison.differences().stream().map(Fact::topic).collect(Collectors.toSet());
    assertTrue(
        different.containsAll(
            Set.of(Topic.PATH, Topic.GRAPH_CHANNEL, Topic.CHANNEL, Topic.RING, Topic.MODEL)),
        different::toString);
    Fact ring =
        comparison.differences().stream()
            .filter(fact -> fact.topic() == Topic.RING)
            .findFirst()
            .orElseThrow();
    assertEquals("3 -> 0 -> 1", ring.expected());
    assertEquals("ring 0 rank 0", ring.where());
  }

  @Test
  void damagedLinesDoNoHarm() {
    String log =
        """
        [0] NCCL INFO Ring 99999 : 3 -> 0 -> 1
        [0] NCCL INFO Trees [0] 1/-1/-1->-7->-1 [77] 1/-1/-1->0->-1
        [0] NCCL INFO NVLS Head 99: 3 4
        [0] NCCL INFO NVLS Trees : 1/1/1->-4->5
        [0] NCCL INFO GPU/0-1 :GPU/0-2 (0/5000.0/LOC) GPU/0-99999999999999999999 (0/1.0/LOC)
        [0] NCCL INFO AllGather: 9223372036854775807 Bytes -> Algo RING proto LL channel{Lo..Hi}={9..1}
        [1] NCCL INFO Trees [0] 1/-1/-1->-7->-1
        [1] NCCL INFO Pattern 4, crossNic 2147483648, nChannels 2, bw 0.0/0.0, type NVL/PIX, sameChannels 1
        [2] NCCL INFO Ring 00 : 1 -> 88 -> 2
        [3] NCCL INFO P2P Chunksize set to 5
        """;
    LogComparison comparison =
        LogComparison.of(
            communicator(ReferenceSets.topologies().resolve("dgx-h100.xml"), 1),
            NcclLogReader.parse(log));
    assertEquals(comparison.facts(), comparison.differences());
    assertEquals(List.of("[3]: no line contains the rank"), comparison.notCompared());
  }
}
