package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.InputMachines;
import dev.topo.cli.option.InputOptions;
import dev.topo.cli.option.OutputFile;
import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.cli.option.SettingOptions;
import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.guest.DevicePairer;
import dev.topo.inspect.guest.DevicePairing;
import dev.topo.inspect.guest.GuestDevices;
import dev.topo.inspect.guest.GuestMachine;
import dev.topo.model.Topology;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlWriter;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.verdict.GuestView;
import dev.topo.simulator.verdict.GuestView.GuestComparison;
import dev.topo.visualizer.structure.GuestOutput;
import dev.topo.visualizer.structure.GuestSentence;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topo guest}: writes the topology file of a virtual machine. */
@Command(
    name = "guest",
    description = {
      "Writes the NCCL_TOPO_FILE of a virtual machine: CPUs and PCI devices of the host, with the guest's bus ids.",
      "NCCL adds GPUs and network ports at run time.",
      "On stderr: channels and the path from each GPU to its port on the host, in the guest as it is, and with the file."
    })
final class GuestCommand extends Subcommand {
  /** Number of nodes of the largest job in the comparison, for its caveats. */
  private static final int NODES = 2;

  @Parameters(paramLabel = "HOST", description = "The host's topology file.")
  private Path host = Path.of("");

  @Mixin private GuestOptions options = new GuestOptions();

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}): the file, or the comparison only.")
  private GuestFormat format = GuestFormat.xml;

  @Mixin private OutputFile output = new OutputFile();
  @Mixin private InputOptions input = new InputOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private SettingOptions setting = new SettingOptions();
  @Mixin private BriefOption brief = new BriefOption();

  private enum GuestFormat implements Format {
    xml,
    text,
    json
  }

  @Override
  public Integer call() {
    OutputPlan plan = output.plan(context());
    NcclSettings settings = setting.forModel(context(), version.rules());
    Map<String, String> map = options.map(inputs());
    refuseIf(input.hasSelection(), "--gpus: expected --map HOST=GUEST for each GPU of the guest");
    OptionalInt cpus = options.vcpus();
    XmlElement system = machines().document(host).root();
    Topology topology = machines().topology(host, version.profile());
    GuestDevices guest = options.devices(inputs());
    DevicePairing pairing = new DevicePairer(system, guest).pair(map);
    GuestMachine machine = GuestMachine.of(system, pairing, guest, cpus);
    Optional<XmlElement> dump = guest.dumpWithGpus();
    GuestComparison comparison =
        GuestComparison.of(
            MachineName.of(host),
            machine,
            pairing,
            dump,
            seen -> view(seen, settings),
            GuestOptions.remarks(pairing, dump.isPresent()));
    String sentence = GuestSentence.of(comparison);
    String xml = XmlWriter.write(machine.file());
    Envelope envelope = envelope(version.rules(), caveats(topology, guest, settings));
    Answer text = GuestOutput.of(comparison, input.isVerbose()).saying(sentence);
    plan.write(
        host,
        switch (format) {
          case xml -> Answer.of(xml);
          case text -> rendered(text, envelope, format);
          case json -> rendered(GuestOutput.json(comparison).saying(sentence), envelope, format);
        });
    if (format == GuestFormat.xml) {
      // The caveats go to stderr as messages, a line each.
      OutputPlan.onStderr(streams()).write(host, rendered(text, envelope(), "text"));
      envelope.report(streams()::message);
    }
    return ExitStatus.DONE;
  }

  private InputMachines machines() {
    return input.machines(context());
  }

  private List<Caveat> caveats(Topology topology, GuestDevices guest, NcclSettings settings) {
    CaveatCollector caveats = machines().caveats(version::rules);
    caveats.addJob(Map.of(host, topology), NODES, false, settings);
    boolean hasGpuDirect =
        guest
            .dumpWithGpus()
            .map(dump -> CaveatFinder.hasGpuDirect(machines().edited(dump, version.profile())))
            .orElse(false);
    if (!topology.nets().isEmpty() && !hasGpuDirect) {
      caveats.add(List.of(CaveatFinder.ofGuest("guest of " + MachineName.of(host))));
    }
    return caveats.list();
  }

  private GuestView view(XmlElement machine, NcclSettings settings) {
    NcclProfile profile = version.profile();
    return GuestView.of(evaluator(), machines().edited(machine, profile), settings, profile);
  }
}
