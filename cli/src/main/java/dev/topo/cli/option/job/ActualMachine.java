package dev.topo.cli.option.job;

import dev.topo.cli.output.Streams;
import dev.topo.model.Topology;
import dev.topo.model.job.Machine;
import dev.topo.model.settings.SettingException;
import dev.topo.simulator.evaluate.DeclaredGpuCheck;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the machine of {@code --actual}, where the job's file is what NCCL_TOPO_FILE declares. */
public final class ActualMachine {
  private ActualMachine() {}

  /**
   * The actual machine; empty without the option.
   *
   * @param declared the declared machine
   * @param declaredFile its file
   */
  public static Optional<Machine> read(
      @Nullable Path actual,
      Machine declared,
      String declaredFile,
      InputOptions input,
      Streams streams) {
    if (actual == null) {
      return Optional.empty();
    }
    if (declared.settings().text("NCCL_TOPO_FILE").isPresent()) {
      throw new SettingException(
          "--actual and NCCL_TOPO_FILE exclude each other: with NCCL_TOPO_FILE the job's file is the actual machine");
    }
    Topology topology = input.topology(actual, streams);
    DeclaredGpuCheck.requireEqual(
        topology.gpus().size(),
        actual.toString(),
        declared.nRanks(),
        "the declared machine (" + declaredFile + ")");
    return Optional.of(new Machine(topology, declared.settings()));
  }
}
