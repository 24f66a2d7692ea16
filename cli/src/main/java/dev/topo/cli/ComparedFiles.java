package dev.topo.cli;

import dev.topo.cli.option.InputMachines;
import dev.topo.cli.option.JobOptions.GroupOptions;
import dev.topo.model.Topology;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.topology.JobMachines.HostFiles;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResolver;
import dev.topo.simulator.evaluate.JobResolver.ResolvedJob;
import dev.topo.simulator.evaluate.JobSpec;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec;
import dev.topo.simulator.variant.DiffJob.MachineFiles;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The compared files as the options of a command read them; prints diagnostics about the files.
 * Keeps the topologies of files, which are in many jobs.
 */
final class ComparedFiles implements MachineFiles {
  /** Stands for an edited file. */
  private static final Path EDITED = Path.of("");

  private final InputMachines input;
  private final GroupOptions groups;
  private final NcclSettings settings;
  private final NcclProfile profile;
  private final Inputs inputs;
  private final Map<List<Object>, Topology> known = new HashMap<>();

  ComparedFiles(
      InputMachines input,
      GroupOptions groups,
      NcclSettings settings,
      NcclProfile profile,
      Inputs inputs) {
    this.input = input;
    this.groups = groups;
    this.settings = settings;
    this.profile = profile;
    this.inputs = inputs;
  }

  @Override
  public String name(Path file) {
    return MachineName.of(file);
  }

  @Override
  public Machine machine(Path file) {
    return new Machine(topology(file, input.selection()), settings);
  }

  private Topology topology(Path file, GpuSelection gpus) {
    return known.computeIfAbsent(List.of(file, gpus), key -> input.topology(file, gpus, profile));
  }

  @Override
  public XmlElement tree(Path file) {
    return input.document(file).root();
  }

  @Override
  public List<JobPart> parts(List<Path> hosts) {
    return resolved(hosts, new OfFiles()).parts();
  }

  @Override
  public List<JobPart> parts(XmlElement edited, int count) {
    return resolved(Collections.nCopies(count, EDITED), new OfEdited(edited)).parts();
  }

  /** True if communicators of a job on some hosts, with several ranks each, share a host. */
  boolean sharesHosts(List<Path> hosts) {
    return groups.hasSplit() && resolved(hosts, new OfFiles()).sharesHosts();
  }

  private ResolvedJob resolved(List<Path> hosts, HostFiles files) {
    ReleaseRules rules = ReleaseRules.of(profile);
    return new JobResolver(files, inputs, note -> {})
        .resolve(
            new JobSpec(groups.layout(hosts), input.selection(), settings, rules, TimeSpec.USUAL));
  }

  private final class OfFiles implements HostFiles {
    @Override
    public XmlElement system(Path file) {
      return input.system(file);
    }

    @Override
    public Topology topology(Path file, GpuSelection gpus, NcclProfile rules) {
      return ComparedFiles.this.topology(file, gpus);
    }

    @Override
    public Topology topology(XmlElement system, GpuSelection gpus, NcclProfile rules) {
      return input.topology(system, gpus, rules);
    }
  }

  /** The file that all hosts are like, after an edit. */
  private final class OfEdited implements HostFiles {
    private final XmlElement edited;

    OfEdited(XmlElement edited) {
      this.edited = edited;
    }

    @Override
    public XmlElement system(Path file) {
      return edited;
    }

    @Override
    public Topology topology(Path file, GpuSelection gpus, NcclProfile rules) {
      return input.edited(edited, gpus, rules);
    }

    @Override
    public Topology topology(XmlElement system, GpuSelection gpus, NcclProfile rules) {
      return input.edited(system, gpus, rules);
    }
  }
}
