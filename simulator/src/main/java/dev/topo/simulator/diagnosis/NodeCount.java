package dev.topo.simulator.diagnosis;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.io.TopologyFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The number of nodes of a run: by the user, by the hosts in its measurements and by NCCL's log,
 * which must agree. An NVLink domain of several hosts in one file is one node.
 *
 * @param nodes the number; empty if nothing states it
 * @param notes what does not quite agree, for people
 */
record NodeCount(OptionalInt nodes, List<SpecText> notes) {
  NodeCount {
    notes = List.copyOf(notes);
  }

  /**
   * The number of nodes of a run.
   *
   * @param perMachine hosts of the machine that is stated; 1 where none is
   * @throws TopologyFormatException if the user, the measurements and the log contradict each other
   */
  static NodeCount of(
      DiagnosisInput input, RunFacts facts, RunMeasurements measured, int perMachine) {
    OptionalInt hosts = measured.nodes().isPresent() ? measured.nodes() : facts.hosts();
    String file = measured.runs().isEmpty() ? input.texts().get(0).name() : measured.file();
    OptionalInt listed = inMachines(hosts, perMachine, file);
    Optional<LogStatement> logged = communicator(facts, measured);
    OptionalInt ofLog =
        logged.map(line -> OptionalInt.of(line.number(1))).orElse(OptionalInt.empty());
    List<SpecText> notes = new ArrayList<>();
    if (input.nodes().isPresent()) {
      int stated = input.nodes().getAsInt();
      if (listed.orElse(stated) != stated) {
        if (hosts.getAsInt() == stated) {
          return new NodeCount(listed, notes); // The hosts of NVLink domains were counted.
        }
        if (hosts.getAsInt() != 1) {
          throw contradiction(file, "lists " + hosts(hosts), stated);
        }
        notes.add(
            SpecText.of(
                "%s lists 1 host: %s %d holds if hosts have one name",
                file, SpecField.NODES, stated));
      } else if (ofLog.orElse(stated) != stated && listed.isEmpty()) {
        throw contradiction(
            logged.orElseThrow().place(),
            "states " + QuantityFormat.count(ofLog.getAsInt(), "node"),
            stated);
      }
      return new NodeCount(input.nodes(), notes);
    }
    // Hosts of one name, as of containers, and joined hosts are told apart by NCCL's log only.
    return new NodeCount(ofLog.isPresent() ? ofLog : listed, notes);
  }

  /**
   * The communicator of the run in the log; empty where there is none.
   *
   * @throws TopologyFormatException if all of the log are of other numbers of ranks
   */
  private static Optional<LogStatement> communicator(RunFacts facts, RunMeasurements measured) {
    Optional<LogStatement> first = facts.first(LineKind.COMM);
    if (first.isEmpty() || measured.ranks().isEmpty()) {
      return first;
    }
    int ranks = measured.ranks().get(0);
    Optional<LogStatement> same =
        facts.all(LineKind.COMM).stream().filter(line -> line.number(0) == ranks).findFirst();
    if (same.isEmpty()) {
      throw new TopologyFormatException(
          SourceLocation.of(first.get().place()),
          "is a communicator of %d ranks, the measurements are of %d: expected files of one job"
              .formatted(first.get().number(0), ranks));
    }
    return same;
  }

  private static String hosts(OptionalInt hosts) {
    return QuantityFormat.count(hosts.getAsInt(), "host");
  }

  private static OptionalInt inMachines(OptionalInt hosts, int perMachine, String file) {
    if (hosts.isEmpty() || hosts.getAsInt() == 1) {
      return hosts;
    }
    if (hosts.getAsInt() % perMachine != 0) {
      throw new TopologyFormatException(
          SourceLocation.of(file),
          SpecText.of(
              "lists %s, %s is an NVLink domain of %d hosts: expected a file of the hosts of the run, or of one of them",
              hosts(hosts), SpecField.MACHINE, perMachine));
    }
    return OptionalInt.of(hosts.getAsInt() / perMachine);
  }

  private static TopologyFormatException contradiction(String place, String what, int stated) {
    return new TopologyFormatException(
        SourceLocation.of(place),
        SpecText.of(
            "%s, %s states %d: expected the number of the run, or no %s",
            what, SpecField.NODES, stated, SpecField.NODES));
  }
}
