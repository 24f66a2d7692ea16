package dev.topo.simulator.sweep;

import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.NamedMachine;
import dev.topo.simulator.sweep.SweepSpec.MachineFile;
import java.util.List;
import java.util.OptionalInt;

/**
 * Rejects specifications that combine NVLink domains of several nodes with unsupported features.
 * Domains that are not stated are those of machines with names that say so, as for a single job.
 */
final class DomainCheck {
  private DomainCheck() {}

  /**
   * Checks a specification.
   *
   * @throws TopologyFormatException at a domain that is not supported with another part of the
   *     specification
   */
  static void check(SweepSpec spec) {
    for (MachineFile machine : spec.machines()) {
      if (machine.hosts() > 1) {
        check(spec, machine);
      }
    }
  }

  /**
   * A specification with the domains of its machines by name.
   *
   * @throws TopologyFormatException at a machine whose domains differ between the numbers of nodes
   */
  static SweepSpec joined(SweepSpec spec, SpecFiles files) {
    SweepSpec joined =
        spec.withMachines(
            spec.machines().stream().map(machine -> joined(machine, spec.nodes(), files)).toList());
    check(joined);
    return joined;
  }

  private static MachineFile joined(MachineFile machine, List<Integer> nodes, SpecFiles files) {
    int most =
        NamedMachine.of(files.resolve(machine.file())).map(NamedMachine::domainHosts).orElse(1);
    int hosts = Math.min(most, nodes.get(0));
    if (most == 1 || machine.nvlinkDomain().isPresent()) {
      return machine;
    }
    if (nodes.stream().anyMatch(all -> Math.min(most, all) != hosts || all % hosts != 0)) {
      throw new TopologyFormatException(
          machine.location(),
          ("machine %s: NVLink joins up to %s nodes, not as many for each of nodes %s;"
                  + " expected {file: %s, nvlink-domain: N}")
              .formatted(machine.name(), most, nodes, machine.file()));
    }
    return new MachineFile(
        machine.name(), machine.file(), OptionalInt.of(hosts), machine.location());
  }

  private static void check(SweepSpec spec, MachineFile machine) {
    if (spec.axes().stream().anyMatch(Axis.Placements.class::isInstance)) {
      throw refused(machine, "placements: expected machines of one node");
    }
    for (Switches fabric : spec.fabrics()) {
      if (!(fabric instanceof Switches.Wide)) {
        throw refused(machine, "fabric " + fabric.name() + ": expected wide between domains");
      }
    }
    for (Question question : spec.questions()) {
      if (question instanceof Question.Traces) {
        throw refused(
            machine, "workload " + question.label() + " of traces: expected machines of one node");
      }
      for (Question.Group group : groups(question)) {
        if (!group.equals(Question.Group.ALL)) {
          throw refused(
              machine,
              "%s with calls of group %s: expected group all"
                  .formatted(question.label(), group.label()));
        }
      }
    }
  }

  private static List<Question.Group> groups(Question question) {
    if (question instanceof Question.OneCall call) {
      return List.of(call.group());
    }
    return question instanceof Question.Workload workload
        ? workload.calls().stream().map(Question.Call::group).toList()
        : List.of();
  }

  private static TopologyFormatException refused(MachineFile machine, String why) {
    return new TopologyFormatException(
        machine.location(),
        "machine %s has nvlink-domain %s, not supported with %s"
            .formatted(machine.name(), machine.hosts(), why));
  }
}
