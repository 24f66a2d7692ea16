package dev.topo.reference;

import dev.topo.model.Topology;
import dev.topo.model.fixture.ReferenceData;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Collective;
import dev.topo.search.kernel.CallPaths;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.kernel.Execution;
import dev.topo.search.kernel.SymmetricCall;
import dev.topo.search.kernel.SymmetricFacts;
import dev.topo.search.kernel.SymmetricTuner;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.tuning.Communicator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Kernels for symmetric windows, against answers of NCCL 2.28.9's own functions and real runs. */
class SymmetricReferenceTest {
  private static final Path KERNELS =
      Path.of(System.getProperty("topo.root"))
          .resolve("src/test/resources/reference/symmetric-kernels.tsv.gz");

  /** The columns of the table in front of those of the answer. */
  private static final int QUESTION = 7;

  /**
   * Columns: arch, nRanks, nvls, collective, datatype, works, bytes of one call's count; kernel,
   * blocks, channels, threads, timeUs. The time has nine digits, which make a float exact.
   */
  @Test
  void kernelsAreThoseOfNccl() throws IOException {
    Agreement agreement = new Agreement("symmetric kernels");
    try (BufferedReader table =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(KERNELS)), StandardCharsets.UTF_8))) {
      for (String row : table.lines().skip(1).toList()) {
        List<String> columns = Arrays.asList(row.split("\t", -1));
        String[] answer = columns.subList(QUESTION, columns.size()).toArray(new String[0]);
        answer[answer.length - 1] = String.valueOf(Float.parseFloat(answer[answer.length - 1]));
        agreement.addEqual(
            String.join(" ", columns.subList(0, QUESTION)),
            String.join(" ", answer),
            answer(columns));
      }
    }
    agreement.finish();
  }

  private static String answer(List<String> question) {
    int nRanks = Integer.parseInt(question.get(1));
    SymmetricFacts facts =
        new SymmetricFacts(
            NcclProfile.DEFAULT,
            Integer.parseInt(question.get(0)),
            nRanks,
            1,
            question.get(2).equals("1"),
            true,
            true,
            true,
            false);
    Collective collective = Collective.ofLabel(question.get(3)).orElseThrow();
    String type = question.get(4).replace("any", "int8").replace("fp8_", "f8");
    SymmetricCall call =
        new SymmetricCall(
            collective,
            Long.parseLong(question.get(6)) * (collective == Collective.ALL_REDUCE ? 1 : nRanks),
            DataType.ofLabel(type).orElseThrow(),
            ReductionOperator.SUM,
            Integer.parseInt(question.get(5)));
    return text(new SymmetricTuner(facts, NcclSettings.DEFAULTS), call);
  }

  private static String text(SymmetricTuner tuner, SymmetricCall call) {
    Execution execution = tuner.decide(call, Buffers.SYMMETRIC).execution();
    return execution instanceof Execution.Kernel kernel
        ? kernel.kernel().label()
            + " %d %d %d %s"
                .formatted(kernel.blocks(), kernel.channels(), kernel.threads(), kernel.timeUs())
        : execution instanceof Execution.Ordinary ? "none 0 0 0 0.0" : execution.toString();
  }

  /** Bytes are those of the count: of AllGather what a rank sends. */
  @Test
  void picksAreThoseOfRealNccl() throws IOException {
    Path folder = ReferenceData.of("measured/h200-x2-processes");
    NcclSettings settings = NcclSettings.parse(List.of("NCCL_NVLS_ENABLE=0"));
    Topology topology =
        new TopologyReader().read(folder.resolve("topo.xml"), GpuSelection.ALL, new Diagnostics());
    Communicator communicator = Communicator.of(Job.ofEqual(new Machine(topology, settings), 1));
    SymmetricTuner tuner = CallPaths.of(communicator).symmetric();
    List<String> rows = Files.readAllLines(folder.resolve("symmetric-picks.csv"));
    Agreement agreement = new Agreement("symmetric kernels on h200-x2, real NCCL");
    for (String row : rows.subList(1, rows.size())) {
      String[] columns = row.split(",", -1);
      Collective collective = Collective.ofLabel(columns[0]).orElseThrow();
      long bytes = Long.parseLong(columns[1]) * (collective == Collective.ALL_REDUCE ? 1 : 2);
      Execution execution =
          tuner.decide(SymmetricCall.of(collective, bytes), Buffers.SYMMETRIC).execution();
      String found =
          execution instanceof Execution.Kernel kernel
              ? kernel.kernel().label() + "," + kernel.channels() + "," + kernel.threads()
              : execution.toString();
      agreement.addEqual(
          columns[0] + " " + columns[1],
          String.join(",", Arrays.asList(columns).subList(2, columns.length)),
          found);
    }
    agreement.finish();
  }
}
