package dev.topo.cli.job;

import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;

/**
 * The GPUs of a machine that is there and those that NCCL is told of: which of them it would leave
 * out where they are not as many is not known.
 */
public final class DeclaredGpuCheck {
  private DeclaredGpuCheck() {}

  /**
   * Checks that they are as many.
   *
   * @param there the machine that is there
   * @param file its file
   * @param told the machine that NCCL is told of
   * @param toldFile its file
   * @throws TopologyFormatException about that file if they are not
   */
  public static void requireAll(Topology there, String file, Topology told, String toldFile) {
    int count = there.gpus().size();
    if (count != told.gpus().size()) {
      throw new TopologyFormatException(
          SourceLocation.of(file),
          QuantityFormat.count(count, "GPU")
              + ", but NCCL is told of "
              + told.gpus().size()
              + " ("
              + toldFile
              + "): expected as many");
    }
  }
}
