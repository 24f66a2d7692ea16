package dev.topo.simulator.evaluate;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.SourceLocation;
import dev.topo.model.io.TopologyFormatException;

/**
 * Checks the declared GPUs against the actual ones. If their numbers differ it is unknown which
 * GPUs NCCL would leave out.
 */
public final class DeclaredGpuCheck {
  private DeclaredGpuCheck() {}

  /**
   * Checks that two machines, or a machine and measurements of it, have equally many GPUs.
   *
   * @param count the GPUs of a file
   * @param file the file
   * @param expected the GPUs of the other
   * @param other what has that many: {@code the declared machine (declared.xml)}
   * @throws TopologyFormatException about the file if they differ
   */
  public static void requireEqual(int count, String file, int expected, String other) {
    if (count != expected) {
      throw new TopologyFormatException(
          SourceLocation.of(file),
          QuantityFormat.count(count, "GPU")
              + ", but "
              + other
              + " has "
              + expected
              + ": expected as many");
    }
  }
}
