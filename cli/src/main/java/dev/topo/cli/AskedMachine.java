package dev.topo.cli;

import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.model.Topology;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.List;

/**
 * A machine that a command answers a question about: its file, the settings and the release that
 * the answer follows, and the caveats of the answer.
 */
class AskedMachine {
  private final MachineQuestion question;
  private final List<Path> files;
  private final NcclSettings settings;
  private final ReleaseRules rules;
  private final CaveatCollector caveats;

  /**
   * Creates a question about a machine or a job.
   *
   * @param files one file, or none if options alone describe the job
   */
  AskedMachine(
      MachineQuestion question, List<Path> files, NcclSettings settings, ReleaseRules rules) {
    this.question = question;
    this.files = List.copyOf(files);
    this.settings = settings;
    this.rules = rules;
    this.caveats = question.caveats(() -> rules);
  }

  List<Path> files() {
    return files;
  }

  NcclSettings settings() {
    return settings;
  }

  ReleaseRules rules() {
    return rules;
  }

  NcclProfile profile() {
    return rules.profile();
  }

  CaveatCollector caveats() {
    return caveats;
  }

  /** Reads the topology of the only file, with the selected GPUs; records its caveats. */
  Topology topology() {
    Path file = files.get(0);
    Topology topology = question.machines().topology(file, profile());
    caveats.addMachine(file, topology, settings);
    return topology;
  }

  /** Puts an answer into an envelope with its rules and caveats. */
  Answer answered(Answer answer, Format format) {
    Subcommand command = question.command();
    return command.rendered(answer, command.envelope(rules, caveats.list()), format);
  }
}
