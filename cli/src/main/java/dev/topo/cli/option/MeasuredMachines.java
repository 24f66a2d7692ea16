package dev.topo.cli.option;

import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.job.Job;
import dev.topo.model.node.GpuNode;
import dev.topo.model.xml.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.simulator.measured.MeasuredRun;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;

/** Whether measurements can be those of a job, as far as their file tells of its machines. */
public final class MeasuredMachines {
  private MeasuredMachines() {}

  /**
   * Makes sure of it.
   *
   * @throws TopologyFormatException if they are of other GPUs, or of more or fewer nodes
   */
  public static void check(MeasuredRun run, Job job) {
    int nodes = job.machines().size();
    if (run.nodes().orElse(nodes) != nodes) {
      throw other(run, count(run.nodes().getAsInt(), "node"), count(nodes, "node"));
    }
    Set<String> measured = new TreeSet<>();
    for (String system : run.systems()) {
      collect(
          new XmlReader().read(system.getBytes(StandardCharsets.UTF_8), run.file()).root(),
          measured);
    }
    Set<String> ours = new TreeSet<>();
    job.machines().stream()
        .flatMap(machine -> machine.topology().gpus().stream())
        .map(GpuNode::sm)
        .forEach(sm -> ours.add(String.valueOf(sm)));
    if (!measured.isEmpty() && !measured.equals(ours)) {
      throw other(
          run, "GPUs of sm " + String.join(", ", measured), "sm " + String.join(", ", ours));
    }
  }

  private static void collect(XmlElement element, Set<String> sms) {
    if (element.name().equals("gpu")) {
      element.attribute("sm").ifPresent(sms::add);
    }
    element.elements().forEach(child -> collect(child, sms));
  }

  private static String count(int number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  private static TopologyFormatException other(MeasuredRun run, String theirs, String ours) {
    return new TopologyFormatException(
        SourceLocation.of(run.file()),
        "was measured on " + theirs + ", the job has " + ours + ": expected the same machines");
  }
}
