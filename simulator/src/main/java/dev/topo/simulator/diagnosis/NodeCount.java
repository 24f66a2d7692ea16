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
 * Number of nodes of a run, from the user, the hosts in its measurements, and NCCL's log, which
 * must agree. An NVLink domain of several hosts whose machine file describes all of them is one
 * node.
 *
 * @param nodes the number; empty if neither the user nor the files state it
 * @param notes minor disagreements, in words
 */
record NodeCount(OptionalInt nodes, List<SpecText> notes) {
  NodeCount {
    notes = List.copyOf(notes);
  }

  /**
   * Determines the number of nodes of a run.
   *
   * @param hostsPerMachine hosts of the stated machine; 1 if there is none
   * @throws TopologyFormatException if the user, the measurements and the log contradict each other
   */
  static NodeCount of(
      DiagnosisInput input, RunFacts facts, RunMeasurements measured, int hostsPerMachine) {
    OptionalInt hosts = measured.nodes().isPresent() ? measured.nodes() : facts.hosts();
    String file = measured.runs().isEmpty() ? input.texts().get(0).name() : measured.file();
    OptionalInt listedNodes = machines(hosts, hostsPerMachine, file);
    Optional<LogStatement> logged = communicator(facts, measured);
    OptionalInt loggedNodes = logged.stream().mapToInt(line -> line.number(1)).findFirst();
    List<SpecText> notes = new ArrayList<>();
    if (input.nodes().isPresent()) {
      int stated = input.nodes().getAsInt();
      if (listedNodes.orElse(stated) != stated) {
        if (hosts.getAsInt() == stated) {
          return new NodeCount(listedNodes, notes); // The user counted hosts, not NVLink domains.
        }
        if (hosts.getAsInt() != 1) {
          throw contradiction(file, "lists " + hosts(hosts), stated);
        }
        notes.add(
            SpecText.of(
                "%s lists 1 host: %s %d holds if hosts have one name",
                file, SpecField.NODES, stated));
      } else if (loggedNodes.orElse(stated) != stated && listedNodes.isEmpty()) {
        throw contradiction(
            logged.orElseThrow().place(),
            "states " + QuantityFormat.count(loggedNodes.getAsInt(), "node"),
            stated);
      }
      return new NodeCount(input.nodes(), notes);
    }
    // Only NCCL's log tells apart hosts of the same name, such as containers, and knows which hosts
    // one NVLink domain joins.
    OptionalInt nodes = facts.nodes(loggedNodes, listedNodes);
    if (loggedNodes.isPresent() && nodes.getAsInt() < loggedNodes.getAsInt()) {
      notes.add(
          SpecText.of(
              "%d hosts; NCCL counts %d nodes, as NVLinks join only some GPUs of a host",
              nodes.getAsInt(), loggedNodes.getAsInt()));
    }
    return new NodeCount(nodes, notes);
  }

  /**
   * Finds the communicator of the run in the log; empty if the log has none.
   *
   * @throws TopologyFormatException if all communicators in the log have other numbers of ranks
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
          first.get().place(),
          "is a communicator of %s ranks, the measurements are of %s: expected files of one job"
              .formatted(first.get().number(0), ranks));
    }
    return same;
  }

  private static String hosts(OptionalInt hosts) {
    return QuantityFormat.count(hosts.getAsInt(), "host");
  }

  private static OptionalInt machines(OptionalInt hosts, int hostsPerMachine, String file) {
    if (hosts.isEmpty() || hosts.getAsInt() == 1) {
      return hosts;
    }
    if (hosts.getAsInt() % hostsPerMachine != 0) {
      throw new TopologyFormatException(
          SourceLocation.of(file),
          SpecText.of(
              "lists %s, %s is an NVLink domain of %d hosts: expected a file of the hosts of the run, or of one of them",
              hosts(hosts), SpecField.MACHINE, hostsPerMachine));
    }
    return OptionalInt.of(hosts.getAsInt() / hostsPerMachine);
  }

  private static TopologyFormatException contradiction(String place, String what, int stated) {
    return new TopologyFormatException(
        SourceLocation.of(place),
        SpecText.of(
            "%s, %s states %d: expected the number of the run, or no %s",
            what, SpecField.NODES, stated, SpecField.NODES));
  }
}
