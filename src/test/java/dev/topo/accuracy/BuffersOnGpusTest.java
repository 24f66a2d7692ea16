package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.log.Fact;
import dev.topo.inspect.log.Fact.Topic;
import dev.topo.inspect.log.LogComparison;
import dev.topo.inspect.log.NcclLog;
import dev.topo.inspect.log.NcclLogReader;
import dev.topo.inspect.log.TuningLog;
import dev.topo.model.Topology;
import dev.topo.model.fixture.DocumentTables;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.kernel.CallPaths;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.kernel.CallPaths.CallPath;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.tuning.ChannelShare;
import dev.topo.search.tuning.Communicator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Compares what NCCL ran on registered buffers and symmetric windows of two H200 with our answers,
 * and with a table of the document. {@code src/test/gpu/collect-buffers.sh} makes the archive.
 */
class BuffersOnGpusTest {
  private static final String ARCHIVE = "h200-x2-buffers.tar.gz";

  /** The processes of these runs have both GPUs. */
  private static final int GPUS_PER_PROCESS = 2;

  /** A run of all collectives with a kind of buffers and some settings. */
  private record Run(String name, Buffers buffers, CallPaths paths, Map<String, NcclLog> logs) {
    static Run of(String name, Map<String, String> files) {
      NcclSettings settings =
          NcclSettings.parse(files.get("settings.txt").lines().distinct().toList());
      byte[] dump = files.get("topology.xml").getBytes(StandardCharsets.UTF_8);
      Topology topology =
          new TopologyReader()
              .map(new XmlReader().read(dump, name), GpuSelection.ALL, new Diagnostics());
      Communicator communicator = Communicator.of(Job.ofEqual(new Machine(topology, settings), 1));
      Map<String, NcclLog> logs = new LinkedHashMap<>();
      files.forEach(
          (file, text) -> {
            if (file.endsWith(".log")) {
              logs.put(file.replace(".log", ""), NcclLogReader.parse(text));
            }
          });
      return new Run(
          name,
          Buffers.valueOf(files.get("buffers.txt").strip().toUpperCase(Locale.ROOT)),
          CallPaths.of(communicator, settings, GPUS_PER_PROCESS),
          logs);
    }

    List<Fact> choices() {
      return logs.values().stream()
          .flatMap(
              log -> LogComparison.of(paths.communicator(), log, paths, buffers).facts().stream())
          .filter(fact -> fact.topic() == Topic.CHOICE)
          .toList();
    }

    List<TuningLog> tunings() {
      return logs.values().stream()
          .flatMap(log -> log.ranks().stream())
          .map(rank -> rank.tuning())
          .toList();
    }
  }

  private static List<Run> runs() throws IOException {
    List<Run> runs = new ArrayList<>();
    CheckedArchive.folders(CheckedArchive.unpacked(ARCHIVE))
        .forEach((name, files) -> runs.add(Run.of(name, files)));
    return runs;
  }

  @Test
  void theDocumentSaysWhatRan() throws IOException {
    StringBuilder table =
        new StringBuilder("| buffers | runs | launches of symmetric kernels | of algorithms |\n")
            .append("|---|---|---|---|\n");
    runs().stream()
        .collect(Collectors.groupingBy(Run::buffers, TreeMap::new, Collectors.toList()))
        .forEach(
            (buffers, runs) -> {
              List<Fact> facts = runs.stream().flatMap(run -> run.choices().stream()).toList();
              assertEquals(List.of(), facts.stream().filter(fact -> !fact.isEqual()).toList());
              long kernels =
                  runs.stream()
                      .flatMap(run -> run.tunings().stream())
                      .mapToLong(tuning -> tuning.kernels().size())
                      .sum();
              table.append(
                  String.format(
                      Locale.ROOT,
                      "| %s | %d | %,d of %,d | %,d of %,d |\n",
                      buffers.label(),
                      runs.size(),
                      kernels,
                      kernels,
                      facts.size() - kernels,
                      facts.size() - kernels));
            });
    DocumentTables.check(
        "src/test/resources/checked/README.md", Map.of("buffers", table.toString()));
  }

  /** Each size has as many calls in place as before out of place. */
  @Test
  void callsInPlaceRunOnTheirOwnChannels() throws IOException {
    int differ = 0;
    for (Run run : runs()) {
      for (TuningLog tuning : run.tunings()) {
        Map<String, List<TuningLog.Choice>> sizes =
            tuning.choices().stream()
                .collect(Collectors.groupingBy(one -> one.collective() + " " + one.countBytes()));
        for (List<TuningLog.Choice> lines : sizes.values()) {
          int half = lines.size() / 2;
          for (int i = 0; i < lines.size(); i++) {
            assertEquals(
                channels(run, lines.get(i), i >= half),
                lines.get(i).lastChannel() - lines.get(i).firstChannel() + 1,
                run.name() + " " + lines.get(i));
          }
          differ += channels(run, lines.get(0), false) == channels(run, lines.get(0), true) ? 0 : 1;
        }
      }
    }
    assertTrue(differ > 20, differ + " sizes with other channels in place");
  }

  private static int channels(Run run, TuningLog.Choice line, boolean inPlace) {
    boolean ofPart =
        line.collective() == Collective.ALL_GATHER
            || line.collective() == Collective.REDUCE_SCATTER;
    CollectiveCall call =
        CollectiveCall.of(
            line.collective(), line.countBytes() * (ofPart ? run.paths().facts().nRanks() : 1L));
    CallPath path = run.paths().of(call, run.buffers(), inPlace);
    return ChannelShare.channels(run.paths().facts(), call, path.choice().orElseThrow());
  }

  /** NCCL logs neither channels nor kernels for calls on the copy engine. */
  @Test
  void theCopyEngineRunsAllGatherOnly() throws IOException {
    int found = 0;
    for (Run run : runs()) {
      NcclLog log = run.logs().get("all_gather");
      CallPath path =
          run.paths().of(CollectiveCall.of(Collective.ALL_GATHER, 1L << 20), run.buffers());
      if (path.kind() == CallPath.Kind.COPY_ENGINE) {
        found++;
        assertTrue(
            log.ranks().stream()
                .allMatch(
                    rank ->
                        rank.tuning().choices().isEmpty() && rank.tuning().kernels().isEmpty()));
      }
    }
    assertEquals(1, found);
  }

  @Test
  void verifyAgrees() throws IOException {
    for (Buffers kind : List.of(Buffers.REGISTERED, Buffers.SYMMETRIC)) {
      String text =
          Files.readString(
              CheckedArchive.FOLDER.resolve("h200-x2-verify-" + kind.label() + ".txt"));
      assertTrue(text.contains("  choices         756 of 756\n"), text);
      assertTrue(text.contains("  all results are correct\n"), text);
    }
  }
}
