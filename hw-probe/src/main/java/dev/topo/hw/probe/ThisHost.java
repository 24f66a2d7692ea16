package dev.topo.hw.probe;

import dev.topo.model.io.Inputs;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlWriter;
import java.util.Optional;

/**
 * This host, from which what NCCL does here is predicted.
 *
 * @param seen what the probe found
 * @param options what NCCL's settings make of it
 */
public record ThisHost(MachineObservation seen, ProbeOptions options) {
  /**
   * Probes this host.
   *
   * @param options what NCCL's settings make of it
   * @param inputs takes what is read
   */
  public static ThisHost of(ProbeOptions options, Inputs inputs) {
    return new ThisHost(MachineProbe.ofThisMachine(inputs).observe(), options);
  }

  /**
   * The number of GPUs that a process sees.
   *
   * @param visible its CUDA_VISIBLE_DEVICES, if it is set
   */
  public int gpus(Optional<String> visible) {
    return count(visible.map(this::withGpus).orElseGet(() -> with(options)));
  }

  /** With these GPUs, in the syntax of CUDA_VISIBLE_DEVICES. */
  public XmlElement withGpus(String visible) {
    return with(options.withVisibleDevices(visible));
  }

  /** Description of the machine for other processes, as XML. */
  public String announcement() {
    return XmlWriter.write(with(options.withNics(NicView.MERGED)));
  }

  private XmlElement with(ProbeOptions some) {
    return MachineProbe.assemble(seen, some).system();
  }

  private static int count(XmlElement element) {
    int count = element.name().equals("gpu") ? 1 : 0;
    return count + element.elements().stream().mapToInt(ThisHost::count).sum();
  }
}
