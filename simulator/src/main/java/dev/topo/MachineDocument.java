package dev.topo;

import dev.topo.inspect.lint.SourceText;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.model.xml.XmlWriter;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.JobMachines.HostFiles;
import dev.topo.search.topology.NvlinkDomain;
import dev.topo.search.topology.TopologySource;
import dev.topo.search.topology.TopologySource.UnknownElements;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The topology file of a machine, which is the only file of its job. It is parsed on first use.
 * Thread-safe.
 *
 * @param file name of the file
 * @param text contents of the file
 * @param tree parsed contents
 */
record MachineDocument(Path file, Lazy<SourceText> text, Lazy<XmlDocument> tree)
    implements HostFiles {
  /** A machine from the bytes of a file. */
  static MachineDocument of(String name, byte[] bytes) {
    SourceText text = new SourceText(name, bytes);
    return new MachineDocument(
        Path.of(name),
        new Lazy<>(() -> text),
        new Lazy<>(() -> new XmlReader().read(text.bytes(), name)));
  }

  /** The file with other contents. */
  MachineDocument changed(XmlDocument after) {
    return new MachineDocument(
        file,
        new Lazy<>(
            () ->
                new SourceText(
                    file.toString(), XmlWriter.write(after).getBytes(StandardCharsets.UTF_8))),
        new Lazy<>(() -> after));
  }

  /** An NVLink domain of several such machines. */
  MachineDocument joined(int hosts) {
    return changed(NvlinkDomain.ofEqual(document(), hosts));
  }

  String name() {
    return MachineName.of(file);
  }

  SourceText source() {
    return text.get();
  }

  XmlDocument document() {
    return tree.get();
  }

  @Override
  public XmlElement system(Path ignored) {
    return document().root();
  }

  @Override
  public Topology topology(Path ignored, GpuSelection gpus, NcclProfile profile) {
    return topology(document().root(), gpus, profile);
  }

  /** The topology of any {@code <system>} element, with the selected GPUs. */
  @Override
  public Topology topology(XmlElement system, GpuSelection gpus, NcclProfile profile) {
    return TopologySource.build(system, UnknownElements.REJECTED, gpus, profile, new Diagnostics());
  }
}
