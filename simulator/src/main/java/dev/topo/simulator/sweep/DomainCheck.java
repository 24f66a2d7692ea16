package dev.topo.simulator.sweep;

import dev.topo.model.io.TopologyFormatException;
import dev.topo.simulator.sweep.SweepSpec.MachineFile;
import java.util.List;

/**
 * Rejects specifications that combine NVLink domains of several nodes with unsupported features.
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
