package dev.topo.simulator.memory;

import dev.topo.model.ComputeCapability;
import dev.topo.model.job.Machine;
import dev.topo.simulator.evaluate.JobPart;
import java.util.List;
import java.util.OptionalInt;

/**
 * Multicast objects that the NVLS buffers of a job need in a node or NVLink domain, without those
 * of registered buffers and windows.
 *
 * @param needed number of objects of the node that needs the most
 * @param available number of objects that the NVSwitches of a node provide; empty if unknown
 */
public record MulticastNeed(int needed, OptionalInt available) {
  /**
   * Number of multicast slots of a host with third-generation NVSwitches, as logged by its Fabric
   * Manager ({@code NVIDIA/nccl#2077}, eight H200).
   */
  private static final int SLOTS_PER_HOST = 128;

  /** The need of a communicator or of the whole job, depending on the ranks of the answer. */
  public static MulticastNeed of(MemoryAnswer answer, JobPart part) {
    List<Machine> machines =
        part.job().nRanks() == answer.nRanks() ? part.job().machines() : part.whole().machines();
    int most = 0;
    int rank = 0;
    for (Machine machine : machines) {
      int next = rank + machine.nRanks();
      most =
          Math.max(
              most,
              answer.multicastObjects().subList(rank, next).stream()
                  .mapToInt(Integer::intValue)
                  .sum());
      rank = next;
    }
    boolean isKnown =
        part.domains().isEmpty()
            && machines.stream()
                .map(Machine::topology)
                .allMatch(
                    node ->
                        node.hasNvSwitch()
                            && node.gpus().stream()
                                .allMatch(gpu -> gpu.sm() == ComputeCapability.HOPPER));
    return new MulticastNeed(most, isKnown ? OptionalInt.of(SLOTS_PER_HOST) : OptionalInt.empty());
  }
}
