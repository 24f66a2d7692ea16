package dev.topo.reference;

import dev.topo.model.Topology;
import dev.topo.model.fixture.ReferenceData;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Tuner;
import dev.topo.search.tuning.Tuner.Decision;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The tuner table that real NCCL 2.28.9 printed on four NVIDIA H200 GPUs (driver 580, CUDA 13.0,
 * 2026-11-20, NVLink multicast off), and what it chose for every call.
 */
class MeasuredTuningTest {
  private static final int ALGORITHMS_IN_A_ROW = 3;
  private static final Pattern TABLE_ROW =
      Pattern.compile(
          "(\\s*(?:Max NThreads|Broadcast|Reduce|AllGather|ReduceScatter|AllReduce) \\|.*)");
  private static final Pattern CALL =
      Pattern.compile(
          "(\\w+): (\\d+) Bytes -> Algo (\\w+) proto (\\w+) channel\\{Lo\\.\\.Hi\\}=\\{0\\.\\.(\\d+)\\}");

  @Test
  void tableAndChoicesAreThoseOfRealNccl() throws IOException {
    Path folder = ReferenceData.of("measured/h200-x4");
    List<String> log =
        Files.readAllLines(folder.resolve("info.log")).stream()
            .map(line -> line.replaceFirst("^\\[\\d+\\] NCCL INFO ", ""))
            .toList();
    Tuner tuner = tuner(folder);
    Agreement table = new Agreement("tuner table of h200-x4, real NCCL");
    List<String> rows = log.stream().filter(line -> TABLE_ROW.matcher(line).matches()).toList();
    List<String> ours = table(tuner);
    for (int r = 0; r < Math.max(rows.size(), ours.size()); r++) {
      table.addEqual(
          "row " + r,
          r < rows.size() ? rows.get(r) : "no row",
          r < ours.size() ? ours.get(r) : "no row");
    }
    table.finish();
    Agreement calls = new Agreement("choices on h200-x4, real NCCL");
    for (String line : log) {
      Matcher call = CALL.matcher(line);
      if (call.matches()) {
        calls.addEqual(line, line, choice(tuner, call));
      }
    }
    calls.finish();
  }

  private static Tuner tuner(Path folder) {
    NcclSettings settings = NcclSettings.parse(List.of("NCCL_NVLS_ENABLE=0"));
    Topology topology =
        new TopologyReader().read(folder.resolve("topo.xml"), GpuSelection.ALL, new Diagnostics());
    return Communicator.of(Job.ofEqual(new Machine(topology, settings), 1)).tuner();
  }

  private static String choice(Tuner tuner, Matcher call) {
    CollectiveCall question =
        CollectiveCall.of(
            Collective.ofLabel(call.group(1)).orElseThrow(), Long.parseLong(call.group(2)));
    Decision.Choice choice = tuner.decide(question).choice().orElseThrow();
    return call.group(1)
        + ": "
        + call.group(2)
        + " Bytes -> Algo "
        + choice.algorithm().name()
        + " proto "
        + choice.protocol().name()
        + " channel{Lo..Hi}={0.."
        + (choice.channels() - 1)
        + "}";
  }

  /** The rows as NCCL prints them, without its headings. */
  private static List<String> table(Tuner tuner) {
    List<String> rows = new ArrayList<>();
    List<Algorithm> all = List.of(Algorithm.values());
    for (int first = 0; first < all.size(); first += ALGORITHMS_IN_A_ROW) {
      List<Algorithm> block = all.subList(first, Math.min(all.size(), first + ALGORITHMS_IN_A_ROW));
      StringBuilder threads = new StringBuilder(" Max NThreads |");
      for (Algorithm algorithm : block) {
        for (Protocol protocol : Protocol.values()) {
          threads.append(
              String.format(
                  Locale.ROOT, " %14d |", tuner.threadLimits().maxThreads(algorithm, protocol)));
        }
      }
      rows.add(threads.toString());
      for (Collective collective : Collective.values()) {
        rows.add(row(tuner, collective, block));
      }
    }
    return rows;
  }

  private static String row(Tuner tuner, Collective collective, List<Algorithm> block) {
    StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "%13s |", collective.label()));
    for (Algorithm algorithm : block) {
      for (Protocol protocol : Protocol.values()) {
        row.append(
            String.format(
                Locale.ROOT,
                "%8s/%6s |",
                oneDecimal(tuner.model().latencyUs(collective, algorithm, protocol)),
                oneDecimal(tuner.model().bandwidthGBps(collective, algorithm, protocol))));
      }
    }
    return row.toString();
  }

  private static BigDecimal oneDecimal(float value) {
    return new BigDecimal(value).setScale(1, RoundingMode.HALF_EVEN);
  }
}
