package dev.topo.search.connect;

import dev.topo.model.NodeType;
import dev.topo.search.path.LocalDevices;
import dev.topo.search.path.Paths;

/**
 * The ports that a GPU uses for its channels, from the first on.
 *
 * @param count number of ports
 * @param totalGBps bandwidth of the paths to them together
 * @param slowestGBps bandwidth of the slowest of these paths; 0 without ports
 */
record GpuPorts(int count, float totalGBps, float slowestGBps) {
  /**
   * All ports that a GPU takes turns with ({@code ncclTopoGetMinNetBw}, {@code
   * nccl:src/graph/topo.cc}).
   *
   * @param gpu place of the GPU among the GPUs
   */
  static GpuPorts all(Paths paths, int gpu) {
    return upTo(paths, gpu, Float.POSITIVE_INFINITY);
  }

  /**
   * As many ports as it takes to carry what the GPU can send to its CPU ({@code
   * ncclTopoGetLocalNetCountByBw}, {@code nccl:src/graph/topo.cc}, from 2.29 on).
   */
  static GpuPorts filled(Paths paths, int gpu) {
    int from = paths.topology().indexes(NodeType.GPU)[gpu];
    int cpu = paths.topology().indexes(NodeType.CPU)[paths.localCpu(gpu)];
    return upTo(paths, gpu, paths.bwGBps(from, cpu));
  }

  private static GpuPorts upTo(Paths paths, int gpu, float enoughGBps) {
    LocalDevices devices = paths.localDevices();
    int from = paths.topology().indexes(NodeType.GPU)[gpu];
    int[] nets = paths.topology().indexes(NodeType.NET);
    int count = 0;
    float total = 0;
    float slowest = Float.POSITIVE_INFINITY;
    int first = devices.netFor(gpu, 0);
    for (int channel = 0; channel < paths.profile().connect().maxChannels; channel++) {
      int net = devices.netFor(gpu, channel);
      if (channel > 0 && net == first) {
        break;
      }
      float bw = paths.bwGBps(from, nets[net]);
      count++;
      total += bw;
      slowest = Math.min(slowest, bw);
      if (total >= enoughGBps) {
        break;
      }
    }
    return new GpuPorts(count, total, slowest);
  }
}
