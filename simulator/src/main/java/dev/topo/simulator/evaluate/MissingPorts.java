package dev.topo.simulator.evaluate;

import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecText;
import dev.topo.model.job.Machine;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Notes, once per machine, that it has no network port although the job has several nodes. NCCL
 * adds the ports that its network plugin reports when it starts ({@code
 * nccl:src/graph/topo.cc#ncclTopoProcessNet}: InfiniBand, else sockets), and does not start without
 * any; a search without ports ends in its last resort ({@code
 * nccl:src/graph/search.cc#ncclTopoCompute}).
 */
public final class MissingPorts {
  private final Set<String> noted = new LinkedHashSet<>();

  /**
   * A note on the machines that have none; empty if all of them have some or were noted before.
   *
   * @param machines the machines of a job by what to call them
   * @param nodes how many nodes the job has
   */
  public Optional<SpecText> note(Map<String, Machine> machines, int nodes) {
    List<String> without = new ArrayList<>();
    if (nodes > 1) {
      machines.forEach(
          (name, machine) -> {
            if (machine.topology().nets().isEmpty() && noted.add(name)) {
              without.add(name);
            }
          });
    }
    return without.isEmpty()
        ? Optional.empty()
        : Optional.of(
            SpecText.of(
                "note: %s %s no network port (<net>): 0.1 GB/s between nodes is assumed, the last resort of NCCL's"
                    + " search; NCCL itself adds the ports it finds at run time, InfiniBand or else IP interfaces:"
                    + " specify them with %s gpu=MODEL,net=MBIT_PER_SECOND,"
                    + " or with 'add net:NAME to PLACE speed=MBIT_PER_SECOND' in topo whatif",
                String.join(", ", without),
                without.size() == 1 ? "has" : "have",
                SpecField.ASSUME));
  }
}
