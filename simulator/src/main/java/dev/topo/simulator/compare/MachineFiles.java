package dev.topo.simulator.compare;

import dev.topo.model.job.Machine;
import dev.topo.model.xml.XmlElement;
import java.nio.file.Path;

/** Reads the compared machines, under the settings of the job. */
public interface MachineFiles {
  /** The name of the machine of a file. */
  String name(Path file);

  /** The machine of a file. */
  Machine machine(Path file);

  /** The machine of an edited file, which may be unusable by itself. */
  Machine machine(XmlElement edited);

  /** The contents of a file. */
  XmlElement tree(Path file);
}
