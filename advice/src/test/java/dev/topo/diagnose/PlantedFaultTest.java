package dev.topo.diagnose;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.diagnose.PlantedRun.World;
import dev.topo.diagnose.cause.CauseKind;
import dev.topo.diagnose.facts.RunText;
import dev.topo.model.job.GpuSelection;
import dev.topo.model.operation.Collective;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.xml.XmlReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class PlantedFaultTest {
  record Case(CauseKind kind, PlantedRun run, boolean withMachine) {}

  static final List<Collective> ONE = List.of(Collective.ALL_REDUCE);
  static final List<Collective> TWO = List.of(Collective.ALL_GATHER, Collective.REDUCE_SCATTER);

  static Case of(CauseKind kind, String machine, int nodes, String fault) {
    return new Case(kind, new PlantedRun(machine, nodes, "GPU", fault, World.usual(0.04)), true);
  }

  static Case of(CauseKind kind, String machine, int nodes, World world) {
    return new Case(kind, new PlantedRun(machine, nodes, "GPU", "", world), true);
  }

  static final List<Case> CASES =
      List.of(
          of(CauseKind.P2P_OFF, "dgx-h100", 1, "env NCCL_P2P_DISABLE=1"),
          of(CauseKind.NO_NVLINK, "dgx-h100", 1, "remove nvlink:*"),
          of(CauseKind.NVLS_OFF, "dgx-h100", 1, "env NCCL_NVLS_ENABLE=0"),
          of(CauseKind.FEW_CHANNELS, "dgx-h100", 1, "env NCCL_MAX_NCHANNELS=2"),
          of(CauseKind.FEW_CHANNELS, "dgx-a100", 1, "env NCCL_MAX_CTAS=4"),
          of(CauseKind.FORCED_CHOICE, "dgx-h100", 1, "env NCCL_PROTO=LL"),
          of(CauseKind.FORCED_CHOICE, "dgx-h100", 1, "env NCCL_PROTO=Simple"),
          of(CauseKind.SLOW_LAUNCHES, "dgx-h100", 1, new World(0.04, 1, 0, 60, 1)),
          of(CauseKind.SLOW_LAUNCHES, "dgx-a100", 1, new World(0.04, 1, 0, 150, 1)),
          of(CauseKind.WRONG_NETWORK, "dgx-h100", 2, "remove net:mlx5_1 net:mlx5_2 net:mlx5_3 net:mlx5_4 net:mlx5_5 net:mlx5_6 net:mlx5_7; net:mlx5_0.speed=40000; env NCCL_NET=Socket"),
          of(CauseKind.WRONG_NETWORK, "dgx-h100", 4, "env NCCL_NET=Socket"),
          of(CauseKind.FEWER_NICS, "dgx-h100", 2, "remove net:mlx5_1 net:mlx5_2 net:mlx5_3 net:mlx5_4 net:mlx5_5 net:mlx5_6 net:mlx5_7"),
          of(CauseKind.FEWER_NICS, "dgx-h100", 4, "remove net:mlx5_1 net:mlx5_2 net:mlx5_3 net:mlx5_4 net:mlx5_5 net:mlx5_6 net:mlx5_7"),
          of(CauseKind.FEWER_NICS, "dgx-a100", 2, "remove net:mlx5_2 net:mlx5_3 net:mlx5_4 net:mlx5_5 net:mlx5_6 net:mlx5_7"),
          of(CauseKind.NO_GPUDIRECT, "dgx-h100", 2, "net:*.gdr=0"),
          of(CauseKind.NO_GPUDIRECT, "dgx-a100", 4, "net:*.gdr=0"),
          of(CauseKind.SLOW_NIC, "dgx-h100", 2, "net:*.speed=200000"),
          of(CauseKind.SLOW_NIC, "dgx-h100", 4, "net:*.speed=100000"),
          of(CauseKind.SLOW_PCIE, "dgx-h100", 2, "net:*.link_width=4"),
          of(CauseKind.CONGESTION, "dgx-h100", 4, new World(0.04, 2.5, 0.2, 0, 1)),
          of(CauseKind.CONGESTION, "dgx-h100", 8, new World(0.04, 4, 0.25, 0, 1)),
          of(CauseKind.SLOW_PCIE, "l40s-4", 1, "gpu:*.link_width=4"),
          of(CauseKind.P2P_OFF, "rtx3090-2-bridged", 1, "env NCCL_P2P_DISABLE=1"));

  static final List<Case> HEALTHY =
      List.of(
          of(CauseKind.P2P_OFF, "dgx-h100", 1, ""),
          of(CauseKind.P2P_OFF, "dgx-a100", 1, ""),
          of(CauseKind.P2P_OFF, "dgx-h100", 2, ""),
          of(CauseKind.P2P_OFF, "dgx-h100", 4, ""),
          of(CauseKind.P2P_OFF, "dgx-a100", 2, ""),
          of(CauseKind.P2P_OFF, "l40s-4", 1, ""),
          of(CauseKind.P2P_OFF, "gh200-4", 2, ""));

  static Diagnosis diagnose(Case one, String text) {
    return new Diagnoser()
        .diagnose(
            new DiagnosisInput(
                List.of(new RunText("run.txt", text)),
                one.withMachine()
                    ? Optional.of(new XmlReader().read(one.run().file()))
                    : Optional.empty(),
                GpuSelection.ALL,
                OptionalInt.empty(),
                OptionalInt.empty(),
                NcclSettings.DEFAULTS,
                Optional.empty()));
  }

  @Test
  void table() {
    int right = 0;
    int n = 0;
    for (long seed = 1; seed <= Integer.getInteger("test.seeds", 1); seed++) {
      for (Case one : CASES) {
        for (List<Collective> what : List.of(ONE, TWO)) {
          String text = one.run().text(seed, what, 1024, 1L << 30);
          long start = System.nanoTime();
          Diagnosis d = diagnose(one, text);
          n++;
          boolean ok = !d.causes().isEmpty() && d.causes().get(0).kind() == one.kind();
          right += ok ? 1 : 0;
          System.out.printf("%s %s %d %s -> %s %s %dms%n", ok ? "ok" : "XX", one.kind(), what.size(), one.run().machine() + "x" + one.run().nodes() + " " + one.run().fault().replaceAll("remove .*?;?$", "remove"), d.verdict(), d.causes().stream().map(c -> c.kind() + ":" + c.detail() + " " + c.share().orElse(-1)).toList(), (System.nanoTime() - start) / 1000000);
        }
      }
      for (Case one : HEALTHY) {
        for (List<Collective> what : List.of(ONE, TWO)) {
          Diagnosis d = diagnose(one, one.run().text(seed + 100, what, 1024, 1L << 30));
          System.out.printf("%s healthy %d %s -> %s %s %s%n", d.verdict() == Verdict.AS_EXPECTED ? "ok" : "XX", what.size(), one.run().machine() + "x" + one.run().nodes(), d.verdict(), d.summary(), d.causes().stream().map(c -> c.kind() + ":" + c.detail() + " " + c.share().orElse(-1)).toList());
        }
      }
    }
    System.out.println(right + " of " + n);
  }
}
