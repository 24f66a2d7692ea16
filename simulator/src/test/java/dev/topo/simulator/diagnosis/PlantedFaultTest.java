package dev.topo.simulator.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.fixture.RandomCases;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Collective;
import dev.topo.model.xml.XmlReader;
import dev.topo.simulator.diagnosis.PlantedRun.World;
import dev.topo.simulator.evaluate.JobEvaluator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/**
 * Planted faults: what nccl-tests prints on machines with faults, and what NCCL logs. The machines
 * are not those that the constants of the diagnosis were chosen on; faults have other sizes than
 * its hypotheses, and times differ from the predictions as those of another cluster do.
 */
class PlantedFaultTest {
  private static final Diagnoser DIAGNOSER = new Diagnoser(new JobEvaluator(), () -> {});
  private static final long SEED = Long.getLong("test.seed", 1);
  private static final int SEEDS = Integer.getInteger("test.iters", 1);
  private static final int HEALTHY_SEEDS = RandomCases.count(2, 5);

  /** The part of the faults that has to come first. */
  private static final double RIGHT = 0.9;

  private static final List<Collective> ALL_REDUCE = List.of(Collective.ALL_REDUCE);
  private static final List<Collective> BOTH =
      List.of(Collective.ALL_GATHER, Collective.REDUCE_SCATTER);

  private static final String A100 = "NVIDIA A100-SXM4-80GB";
  private static final String ONE_PORT =
      "remove net:mlx5_1 net:mlx5_2 net:mlx5_3 net:mlx5_4 net:mlx5_5 net:mlx5_6 net:mlx5_7";

  /**
   * A fault in times.
   *
   * @param isStated whether the machine is given; else it is assumed from the names of the GPUs
   */
  private record Times(
      CauseKind kind, PlantedRun run, List<Collective> collectives, boolean isStated) {
    Diagnosis diagnosis(long seed) {
      String text = run.text(seed, collectives, 1 << 10, 1L << 30);
      return diagnose("run.txt", text, isStated ? Optional.of(run) : Optional.empty());
    }
  }

  /** A fault in a log. */
  private record Logged(CauseKind kind, PlantedLog log, Optional<PlantedRun> machine) {
    Diagnosis diagnosis(long seed) {
      return diagnose("nccl.log", log.text(seed), machine);
    }
  }

  private static Diagnosis diagnose(String name, String text, Optional<PlantedRun> machine) {
    return DIAGNOSER.diagnose(
        new DiagnosisInput(
            List.of(new RunText(name, text)),
            Optional.empty(),
            machine.map(run -> new XmlReader().read(run.file(), new Inputs())),
            GpuSelection.ALL,
            OptionalInt.empty(),
            OptionalInt.empty(),
            NcclSettings.DEFAULTS,
            Optional.empty()));
  }

  private static Times of(
      CauseKind kind, String machine, int nodes, String fault, List<Collective> collectives) {
    return new Times(
        kind, new PlantedRun(machine, nodes, "GPU", fault, World.usual(0.04)), collectives, true);
  }

  private static Times of(
      CauseKind kind, String machine, int nodes, World world, List<Collective> collectives) {
    return new Times(kind, new PlantedRun(machine, nodes, "GPU", "", world), collectives, true);
  }

  /** On a machine that is only assumed. */
  private static Times assumed(CauseKind kind, int nodes, String fault) {
    return new Times(
        kind, new PlantedRun("dgx-a100", nodes, A100, fault, World.usual(0.05)), ALL_REDUCE, false);
  }

  private static final List<Times> TIMES =
      List.of(
          of(CauseKind.NO_NVLINK, "hgx-b200", 1, "remove nvlink:*", ALL_REDUCE),
          of(CauseKind.P2P_OFF, "hgx-b200", 1, "env NCCL_P2P_DISABLE=1", BOTH),
          of(CauseKind.P2P_OFF, "hgx-h200-4nic", 1, "env NCCL_P2P_DISABLE=1", ALL_REDUCE),
          of(CauseKind.NVLS_OFF, "hgx-h200-4nic", 1, "env NCCL_NVLS_ENABLE=0", ALL_REDUCE),
          of(CauseKind.FEW_CHANNELS, "hgx-b200", 1, "env NCCL_MAX_CTAS=3", BOTH),
          of(CauseKind.FEW_CHANNELS, "hgx-h200-4nic", 1, "env NCCL_MAX_NCHANNELS=2", BOTH),
          of(CauseKind.FORCED_CHOICE, "hgx-h200-4nic", 1, "env NCCL_PROTO=LL", ALL_REDUCE),
          of(CauseKind.FORCED_CHOICE, "gh200-4", 4, "env NCCL_PROTO=LL", BOTH),
          of(CauseKind.SLOW_LAUNCHES, "hgx-h200-4nic", 1, new World(0.04, 1, 0, 90, 1), ALL_REDUCE),
          of(CauseKind.SLOW_LAUNCHES, "hgx-b200", 1, new World(0.05, 1, 0, 200, 1), BOTH),
          of(
              CauseKind.WRONG_NETWORK,
              "gh200-4",
              4,
              "remove net:cxi1 net:cxi2 net:cxi3; net:cxi0.speed=30000; env NCCL_NET=Socket",
              ALL_REDUCE),
          of(CauseKind.WRONG_NETWORK, "gh200-4", 4, "env NCCL_NET=Socket", BOTH),
          of(CauseKind.FEWER_NICS, "gh200-4", 4, "remove net:cxi1 net:cxi2 net:cxi3", ALL_REDUCE),
          of(CauseKind.FEWER_NICS, "gh200-4", 4, "remove net:cxi1 net:cxi2 net:cxi3", BOTH),
          of(CauseKind.SLOW_NIC, "gh200-4", 4, "net:*.speed=100000", ALL_REDUCE),
          of(CauseKind.SLOW_NIC, "gh200-4", 4, "net:*.speed=100000", BOTH),
          of(CauseKind.SLOW_PCIE, "l40s-4", 1, "gpu:*.link_width=2", BOTH),
          of(CauseKind.SLOW_PCIE, "l40s-8-switched", 1, "gpu:*.link_width=4", ALL_REDUCE),
          of(CauseKind.CONGESTION, "gh200-4", 4, new World(0.04, 2.7, 0.25, 0, 1), ALL_REDUCE),
          of(CauseKind.CONGESTION, "gh200-4", 4, new World(0.04, 4, 0.3, 0, 1), BOTH),
          assumed(CauseKind.FEWER_NICS, 2, ONE_PORT),
          assumed(CauseKind.WRONG_NETWORK, 2, ONE_PORT + "; env NCCL_NET=Socket"),
          assumed(CauseKind.NO_GPUDIRECT, 2, "net:*.gdr=0"),
          assumed(CauseKind.P2P_OFF, 1, "env NCCL_P2P_DISABLE=1"));

  private static Logged logged(CauseKind kind, PlantedLog log) {
    return new Logged(kind, log, Optional.empty());
  }

  private static Logged logged(CauseKind kind, PlantedLog log, String machine) {
    return new Logged(
        kind, log, Optional.of(new PlantedRun(machine, log.nodes(), "GPU", "", World.usual(0))));
  }

  private static PlantedLog on(int nodes) {
    return PlantedLog.healthy("2.27.5", nodes, 8, nodes > 1 ? 8 : 0);
  }

  private static final List<Logged> LOGGED =
      List.of(
          logged(CauseKind.WRONG_NETWORK, on(2).withPorts(List.of()).over("Socket", false)),
          logged(
              CauseKind.WRONG_NETWORK,
              on(2).over("Socket", false).with("NCCL_IB_DISABLE set by environment to 1.")),
          logged(
              CauseKind.WRONG_NETWORK,
              on(4)
                  .over("AWS Libfabric", false)
                  .with("NET/OFI Selected provider is tcp, fabric is")),
          logged(CauseKind.FEWER_NICS, on(2).withPorts(List.of("mlx5_0"))),
          logged(
              CauseKind.FEWER_NICS,
              on(2).withPorts(List.of("mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3")),
              "dgx-a100"),
          logged(CauseKind.NO_GPUDIRECT, on(2).over("IB", false)),
          logged(
              CauseKind.NO_GPUDIRECT,
              on(2).over("IB", false).with("NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_0'"),
              "dgx-a100"),
          logged(
              CauseKind.NVLS_OFF,
              on(1).with("NCCL_NVLS_ENABLE set by environment to 0."),
              "dgx-h100"),
          logged(
              CauseKind.NVLS_OFF,
              on(1).with("NVLS multicast support is not available on dev 0 (NVLS_NCHANNELS 0)"),
              "dgx-h100"),
          logged(CauseKind.P2P_OFF, on(1).inside("SHM/direct/direct"), "dgx-h100"),
          logged(
              CauseKind.P2P_OFF,
              on(1)
                  .inside("SHM/direct/direct")
                  .with("P2P is disabled between connected GPUs 1 and 0. You can repress this")),
          logged(
              CauseKind.FEW_CHANNELS,
              on(1).with("NCCL_MAX_NCHANNELS set by environment to 2."),
              "dgx-a100"),
          logged(
              CauseKind.FORCED_CHOICE,
              on(1).with("NCCL_PROTO set by environment to LL"),
              "dgx-h100"),
          logged(
              CauseKind.WRONG_FILE,
              on(1).with("Could not open XML topology file /opt/topo.xml : No such file")),
          logged(CauseKind.WRONG_FILE, on(2).with("Search 4 : 1 channels loaded from XML graph")),
          logged(CauseKind.OTHER_VERSION, on(2).with("NCCL version 2.19.3+cuda12.3")));

  private static final List<Times> HEALTHY =
      List.of(
          of(CauseKind.CONGESTION, "gh200-4", 4, "", ALL_REDUCE),
          of(CauseKind.CONGESTION, "gh200-4", 4, "", BOTH),
          of(CauseKind.CONGESTION, "hgx-b200", 1, "", ALL_REDUCE),
          of(CauseKind.CONGESTION, "hgx-b200", 1, "", BOTH),
          of(CauseKind.CONGESTION, "hgx-h200-4nic", 1, "", ALL_REDUCE),
          of(CauseKind.CONGESTION, "hgx-h200-4nic", 1, "", BOTH),
          of(CauseKind.CONGESTION, "l40s-8-switched", 1, "", ALL_REDUCE),
          assumed(CauseKind.CONGESTION, 2, ""),
          assumed(CauseKind.CONGESTION, 1, ""));

  @Test
  void theTrueCauseComesFirst() {
    List<String> wrong = new ArrayList<>();
    int all = 0;
    for (long seed = SEED; seed < SEED + SEEDS; seed++) {
      for (Times one : TIMES) {
        all++;
        check(one.kind(), one.run() + " " + one.collectives(), one.diagnosis(seed), wrong);
      }
      for (Logged one : LOGGED) {
        all++;
        check(one.kind(), one.log().toString(), one.diagnosis(seed), wrong);
      }
    }
    System.out.printf("planted faults: %d of %d first%n", all - wrong.size(), all);
    assertTrue(wrong.size() <= (1 - RIGHT) * all, "seed " + SEED + ": " + String.join("\n", wrong));
  }

  private static void check(CauseKind kind, String what, Diagnosis diagnosis, List<String> wrong) {
    boolean isRight = !diagnosis.causes().isEmpty() && diagnosis.causes().get(0).kind() == kind;
    if (!isRight) {
      wrong.add(
          kind
              + " "
              + what
              + ": "
              + diagnosis.verdict()
              + " "
              + diagnosis.causes().stream().map(c -> c.kind() + " " + c.share()).toList());
    }
  }

  /**
   * Planted noise exceeds the narrow tolerance of small calls on B200 in one of some runs: a run
   * that the comparison with predictions fails, and that no fault explains, is undecided, not
   * healthy.
   */
  @Test
  void noHealthyRunIsAccused() {
    List<String> accused = new ArrayList<>();
    List<String> undecided = new ArrayList<>();
    for (long seed = SEED + 100; seed < SEED + 100 + HEALTHY_SEEDS; seed++) {
      for (Times one : HEALTHY) {
        Diagnosis diagnosis = one.diagnosis(seed);
        if (diagnosis.verdict() != Health.AS_EXPECTED) {
          boolean isOpen = diagnosis.verdict() == Health.UNDECIDED && diagnosis.causes().isEmpty();
          (isOpen ? undecided : accused)
              .add("seed " + seed + " " + one + ": " + diagnosis.summary() + diagnosis.causes());
        }
      }
    }
    assertEquals(List.of(), accused);
    assertTrue(7 * undecided.size() <= HEALTHY_SEEDS * HEALTHY.size(), undecided.toString());
  }

  @Test
  void noHealthyLogIsAccused() {
    for (int nodes : List.of(1, 2, 4)) {
      for (Optional<String> machine : List.of(Optional.of("dgx-h100"), Optional.<String>empty())) {
        Optional<PlantedRun> run =
            machine.map(name -> new PlantedRun(name, nodes, "GPU", "", World.usual(0)));
        Diagnosis diagnosis = diagnose("nccl.log", on(nodes).text(SEED), run);
        assertEquals(List.of(), diagnosis.causes());
        assertEquals(Health.UNDECIDED, diagnosis.verdict());
      }
    }
  }
}
