package dev.topo.cli;

import dev.topo.cli.option.ProbeSettings;
import dev.topo.hw.probe.MachineObservation;
import dev.topo.hw.probe.MachineProbe;
import dev.topo.hw.probe.NicView;
import dev.topo.hw.probe.ProbeOptions;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingCatalog;
import dev.topo.model.xml.XmlElement;
import dev.topo.model.xml.XmlWriter;
import java.util.Map;
import java.util.TreeMap;

/**
 * This host, from which what NCCL does here is predicted.
 *
 * @param seen what the probe found
 * @param options what NCCL's settings make of it
 */
record ThisHost(MachineObservation seen, ProbeOptions options) {
  /** Probes this host. */
  public static ThisHost of(NcclSettings settings, Inputs inputs) {
    return new ThisHost(
        MachineProbe.ofThisMachine(inputs).observe(), ProbeSettings.ofThisHost(settings, inputs));
  }

  /** What NCCL reads from the environment of its process. */
  public static NcclSettings settings(Map<String, String> variables) {
    Map<String, String> known = new TreeMap<>(variables);
    known.keySet().removeIf(name -> SettingCatalog.find(name).isEmpty());
    return NcclSettings.of(known);
  }

  /** The machine as some options show it. */
  public XmlElement with(ProbeOptions some) {
    return MachineProbe.assemble(seen, some).system();
  }

  /** With these GPUs, in the syntax of CUDA_VISIBLE_DEVICES. */
  public XmlElement withGpus(String visible) {
    return with(options.withVisibleDevices(visible));
  }

  /** What a process tells the others of its machine, as XML. */
  public String announcement() {
    return XmlWriter.write(with(options.withNics(NicView.MERGED)));
  }
}
