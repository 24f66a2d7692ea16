package dev.topo.reference;

import dev.topo.model.Topology;
import dev.topo.search.topology.LinkBandwidths;
import dev.topo.search.topology.TestMachine;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Small machines at random: 2 to 5 GPUs of one generation on 1 or 2 CPUs, with or without PCI
 * switches, ports and a mesh of NVLinks that may have gaps. One seed makes one machine.
 */
public final class RandomMachine {
  private static final int[] SMS = {60, 70, 80, 86, 89, 90, 100};

  /** Gen1 to Gen5 with 16 lanes, and links that are too narrow for any channel. */
  private static final float[] PCI_BW_GBPS = {3, 6, 12, 12, 24, 24, 48, 0.75f, 1.5f};

  private final Random random;
  private final TestMachine machine = new TestMachine();

  private RandomMachine(long seed) {
    random = new Random(seed);
  }

  /** The machine of a seed. */
  public static Topology of(long seed) {
    return new RandomMachine(seed).make();
  }

  private Topology make() {
    int sm = SMS[random.nextInt(SMS.length)];
    int gpuCount = 2 + random.nextInt(4);
    List<Vertex> parents = new ArrayList<>();
    int kind = random.nextInt(3);
    for (int cpus = 1 + random.nextInt(2); cpus > 0; cpus--) {
      Vertex cpu = cpu(kind);
      parents.add(cpu);
      for (int switches = random.nextInt(3); switches > 0; switches--) {
        parents.add(machine.pciSwitch(pick(parents), pciBw(), 0));
      }
    }
    List<Vertex> gpus = new ArrayList<>();
    float bw = pciBw();
    for (int g = 0; g < gpuCount; g++) {
      boolean uneven = random.nextInt(4) == 0;
      gpus.add(machine.gpu(pick(parents), sm, true, uneven ? pciBw() : bw));
    }
    for (int nets = random.nextInt(3); nets > 0; nets--) {
      machine.net(pick(parents), LinkBandwidths.net(25_000 << random.nextInt(5)));
    }
    if (random.nextBoolean()) {
      mesh(gpus, sm);
    }
    return machine.build();
  }

  private Vertex cpu(int kind) {
    return switch (kind) {
      case 0 -> machine.intel();
      case 1 -> machine.amd();
      default -> machine.arm();
    };
  }

  private void mesh(List<Vertex> gpus, int sm) {
    int gaps = random.nextInt(3);
    for (int a = 0; a < gpus.size(); a++) {
      for (int b = a + 1; b < gpus.size(); b++) {
        int links = random.nextInt(4) < gaps ? 0 : 1 + random.nextInt(3);
        if (links > 0) {
          machine.nvlink(gpus.get(a), gpus.get(b), links * LinkBandwidths.nvlink(sm));
        }
      }
    }
  }

  private float pciBw() {
    return PCI_BW_GBPS[random.nextInt(PCI_BW_GBPS.length)];
  }

  private Vertex pick(List<Vertex> vertices) {
    return vertices.get(random.nextInt(vertices.size()));
  }
}
