package dev.topo.simulator.evaluate;

import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine;
import dev.topo.model.job.SpecException;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * Checks the declared GPUs against the actual ones. If their numbers differ it is unknown which
 * GPUs NCCL would leave out.
 */
public final class DeclaredGpuCheck {
  private DeclaredGpuCheck() {}

  /**
   * Checks that two machines, or a machine and measurements of it, have equally many GPUs.
   *
   * @param count the number of GPUs of a file
   * @param file the file
   * @param expected the number of GPUs of the other
   * @param other the other in messages: {@code the declared machine (declared.xml)}
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

  /**
   * The actual machine of a job whose file is the declared one.
   *
   * @param declared the declared machine
   * @param declaredFile its file
   * @param file that of the actual machine
   * @param files reads it
   * @throws SpecException if NCCL_TOPO_FILE is set as well
   * @throws TopologyFormatException if the machines differ in their number of GPUs
   */
  public static Machine actual(
      Machine declared, String declaredFile, Path file, Function<Path, Topology> files) {
    if (declared.settings().text("NCCL_TOPO_FILE").isPresent()) {
      throw new SpecException(
          SpecField.ACTUAL,
          " and NCCL_TOPO_FILE exclude each other: with NCCL_TOPO_FILE the job's file is the actual machine");
    }
    Topology topology = files.apply(file);
    requireEqual(
        topology.gpus().size(),
        file.toString(),
        declared.nRanks(),
        "the declared machine (" + declaredFile + ")");
    return new Machine(topology, declared.settings());
  }
}
