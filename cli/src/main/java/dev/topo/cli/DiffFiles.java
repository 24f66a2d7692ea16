package dev.topo.cli;

import dev.topo.cli.job.MachineName;
import dev.topo.cli.option.job.InputOptions;
import dev.topo.cli.output.Streams;
import dev.topo.model.job.Machine;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.xml.XmlElement;
import dev.topo.simulator.compare.DiffJob.MachineFiles;
import java.nio.file.Path;

/** The compared files as the user's options read them; prints diagnostics about the files. */
record DiffFiles(InputOptions input, NcclSettings settings, Streams streams)
    implements MachineFiles {
  @Override
  public String name(Path file) {
    return MachineName.of(file);
  }

  @Override
  public Machine machine(Path file) {
    return new Machine(input.topology(file, streams), settings);
  }

  @Override
  public Machine machine(XmlElement edited) {
    return new Machine(input.edited(edited), settings);
  }

  @Override
  public XmlElement tree(Path file) {
    return input.tree(file);
  }
}
