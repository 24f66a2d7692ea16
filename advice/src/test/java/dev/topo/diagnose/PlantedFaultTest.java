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
          of(CauseKind.NO_NVLINK, "hgx-b200", 1, "remove nvlink:*"),
          of(CauseKind.P2P_OFF, "hgx-b200", 1, "env NCCL_P2P_DISABLE=1"),
          of(CauseKind.NVLS_OFF, "hgx-h200-4nic", 1, "env NCCL_NVLS_ENABLE=0"),
          of(CauseKind.FEW_CHANNELS, "hgx-b200", 1, "env NCCL_MAX_CTAS=3"),
          of(CauseKind.FEW_CHANNELS, "hgx-h200-4nic", 2, "env NCCL_MAX_NCHANNELS=2"),
          of(CauseKind.FORCED_CHOICE, "hgx-h200-4nic", 1, "env NCCL_PROTO=LL"),
          of(CauseKind.FORCED_CHOICE, "gh200-4", 4, "env NCCL_PROTO=LL"),
          of(CauseKind.SLOW_LAUNCHES, "hgx-h200-4nic", 1, new World(0.04, 1, 0, 90, 1)),
          of(CauseKind.SLOW_LAUNCHES, "hgx-b200", 1, new World(0.04, 1, 0, 200, 1)),
          of(CauseKind.WRONG_NETWORK, "gh200-4", 4, "remove net:cxi1 net:cxi2 net:cxi3; net:cxi0.speed=30000; env NCCL_NET=Socket"),
          of(CauseKind.WRONG_NETWORK, "hgx-h200-4nic", 2, "env NCCL_NET=Socket"),
          of(CauseKind.FEWER_NICS, "gh200-4", 4, "remove net:cxi1 net:cxi2 net:cxi3"),
          of(CauseKind.FEWER_NICS, "hgx-h200-4nic", 2, "remove net:mlx5_1 net:mlx5_2 net:mlx5_3"),
          of(CauseKind.NO_GPUDIRECT, "hgx-h200-4nic", 2, "net:*.gdr=0"),
          of(CauseKind.SLOW_NIC, "hgx-h200-4nic", 2, "net:*.speed=200000"),
          of(CauseKind.SLOW_NIC, "gh200-4", 4, "net:*.speed=100000"),
          of(CauseKind.SLOW_PCIE, "hgx-h200-4nic", 2, "net:*.link_width=4"),
          of(CauseKind.CONGESTION, "gh200-4", 4, new World(0.04, 2.7, 0.25, 0, 1)),
          of(CauseKind.CONGESTION, "hgx-h200-4nic", 2, new World(0.04, 4, 0.3, 0, 1)),
          of(CauseKind.SLOW_PCIE, "l40s-8-switched", 1, "gpu:*.link_width=4"),
          of(CauseKind.P2P_OFF, "hgx-h200-4nic", 1, "env NCCL_P2P_DISABLE=1"));

  static final List<Case> HEALTHY =
      List.of(
          of(CauseKind.P2P_OFF, "gh200-4", 1, ""),
          of(CauseKind.P2P_OFF, "gh200-4", 4, ""),
          of(CauseKind.P2P_OFF, "hgx-b200", 1, ""),
          of(CauseKind.P2P_OFF, "hgx-h200-4nic", 2, ""),
          of(CauseKind.P2P_OFF, "a100-4-slingshot", 2, ""),
          of(CauseKind.P2P_OFF, "v100-4-mesh", 1, ""),
          of(CauseKind.P2P_OFF, "l40s-8-switched", 1, ""));

  static final Diagnoser DIAGNOSER = new Diagnoser();
  static Diagnosis diagnose(Case one, String text) {
    return DIAGNOSER
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
