package dev.topo.hw.probe;

import dev.topo.model.io.Inputs;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlWriter;
import java.util.Optional;

/**
 * This host, as a basis for predictions about NCCL on it.
 *
 * @param seen result of the probe
 * @param options probe options from NCCL's settings
 */
public record ThisHost(MachineObservation seen, ProbeOptions options) {
  /**
   * Probes this host.
   *
   * @param options probe options from NCCL's settings
   * @param inputs records the files it reads
   */
  public static ThisHost of(ProbeOptions options, Inputs inputs) {
    return new ThisHost(MachineProbe.ofThisMachine(inputs).observe(), options);
  }

  /**
   * Number of GPUs that a process sees.
   *
   * @param visible its CUDA_VISIBLE_DEVICES, if set
   */
  public int gpus(Optional<String> visible) {
    XmlElement system = visible.map(this::withGpus).orElseGet(() -> with(options));
    return (int) system.all().filter(element -> element.name().equals("gpu")).count();
  }

  /** Topology with these GPUs, in the syntax of CUDA_VISIBLE_DEVICES. */
  public XmlElement withGpus(String visible) {
    return with(options.withVisibleDevices(visible));
  }

  /** Description of the machine for other processes, as XML. */
  public String announcement() {
    return XmlWriter.write(with(options.withNics(NicView.MERGED)));
  }

  private XmlElement with(ProbeOptions probeOptions) {
    return MachineProbe.assemble(seen, probeOptions).system();
  }
}
