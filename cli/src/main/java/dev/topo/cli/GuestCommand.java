package dev.topo.cli;

import dev.topo.cli.option.Format;
import dev.topo.cli.option.InputMachines;
import dev.topo.cli.option.InputOptions;
import dev.topo.cli.option.SettingOptions;
import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.guest.BusIdPairs;
import dev.topo.inspect.guest.DevicePairer;
import dev.topo.inspect.guest.DevicePairing;
import dev.topo.inspect.guest.GuestDevices;
import dev.topo.inspect.guest.GuestDevicesReader;
import dev.topo.inspect.guest.GuestMachine;
import dev.topo.model.Topology;
import dev.topo.model.job.MachineName;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.xml.XmlElement;
import dev.topo.model.xml.XmlWriter;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.verdict.GuestView;
import dev.topo.simulator.verdict.GuestView.GuestComparison;
import dev.topo.visualizer.structure.GuestJson;
import dev.topo.visualizer.structure.GuestText;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topo guest}: the topology file of a virtual machine. */
@Command(
    name = "guest",
    description = {
      "Writes the NCCL_TOPO_FILE of a virtual machine: CPUs and PCI devices of the host, with the guest's bus ids.",
      "NCCL adds GPUs and network ports at run time.",
      "On stderr: channels and the path from each GPU to its port on the host, in the guest as it is, and with the file."
    },
    footer = {
      "",
      "In the guest: lspci -Dn > guest.lspci. On the host: topo probe > host.xml, or any NCCL program with",
      "NCCL_TOPO_DUMP_FILE=host.xml. Devices that cannot be paired without guessing cause exit status 3.",
      "",
      "Example: topo guest topologies/dgx-h100.xml --guest guest.lspci -o guest.xml",
      "Example: topo guest topologies/dgx-h100.xml --guest guest.xml --vcpus 96 --format text",
      "Example: topo guest topologies/dgx-h100.xml --map 0000:11:00.0=0000:05:00.0 --map 0000:12:00.0=0000:06:00.0"
    })
final class GuestCommand extends Subcommand {
  /**
   * CPUs whose mask, 9 characters for each 32, NCCL's reader accepts: it rejects values of more
   * than 253 characters ({@code xmlGetValue}, {@code nccl:src/graph/xml.cc}).
   */
  private static final int MAX_VCPUS = 896;

  /** Nodes of the jobs that the comparison is about: one, and more. */
  private static final int NODES = 2;

  @Parameters(paramLabel = "HOST", description = "The host's topology file.")
  private Path host = Path.of("");

  @Option(
      names = "--guest",
      paramLabel = "FILE",
      description =
          "What the guest sees: the text of lspci -Dn (or -Dnn), lines of bus id, class, vendor and"
              + " device, or a topology dumped there.")
  private @Nullable Path guestFile;

  @Option(
      names = "--map",
      paramLabel = "HOST=GUEST",
      description =
          "Bus ids of a device on the host and in the guest; may be repeated. Devices that are not mapped are"
              + " paired by order among equal products.")
  private List<String> maps = new ArrayList<>();

  @Option(
      names = "--map-file",
      paramLabel = "FILE",
      description = "As --map, one pair of bus ids per line; # starts a comment.")
  private @Nullable Path mapFile;

  @Option(
      names = "--vcpus",
      paramLabel = "N",
      description = "CPUs of the guest, for affinity (default: NCCL uses the guest's own).")
  private @Nullable Integer vcpus;

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}): the file, or the comparison only.")
  private GuestFormat format = GuestFormat.xml;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the output to this file.")
  private @Nullable Path output;

  @Mixin private InputOptions input = new InputOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private SettingOptions setting = new SettingOptions();

  private enum GuestFormat implements Format {
    xml,
    text,
    json
  }

  @Override
  public Integer call() {
    OutputPlan plan = plan(output);
    NcclSettings settings = setting.forModel(environment(), version.rules(), streams());
    Map<String, String> map = map();
    if (guestFile == null && map.isEmpty()) {
      throw new SettingException("expected --guest FILE or --map HOST=GUEST (--help shows how)");
    }
    if (input.hasSelection()) {
      throw new SettingException("--gpus: expected --map HOST=GUEST for each GPU of the guest");
    }
    OptionalInt cpus = vcpus();
    XmlElement system = machines().document(host).root();
    Topology topology = machines().topology(host, version.profile());
    GuestDevices guest =
        guestFile == null
            ? GuestDevices.NONE
            : GuestDevicesReader.read(
                inputs().bytes(guestFile, "the device list of the guest"), guestFile.toString());
    DevicePairing pairing = new DevicePairer(system, guest).pair(map);
    GuestMachine machine = GuestMachine.of(system, pairing, guest, cpus);
    GuestComparison comparison = comparison(machine, pairing, guest, settings);
    String xml = XmlWriter.write(machine.file());
    Envelope envelope = envelope(version.rules(), caveats(topology, guest, settings));
    plan.write(
        host,
        switch (format) {
          case xml -> Answer.of(xml);
          case text -> rendered(Answer.of(GuestText.of(comparison)), envelope, format.name());
          case json -> rendered(GuestJson.of(comparison), envelope, format.name());
        });
    if (format == GuestFormat.xml) {
      envelope.report(streams()::message);
      streams().err().print(GuestText.of(comparison));
      streams().flush();
    }
    return ExitStatus.DONE;
  }

  private InputMachines machines() {
    return input.machines(inputs(), streams());
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

  private GuestComparison comparison(
      GuestMachine machine, DevicePairing pairing, GuestDevices guest, NcclSettings settings) {
    Optional<XmlElement> dump = guest.dumpWithGpus();
    XmlElement before = dump.orElse(machine.flat());
    List<String> remarks = new ArrayList<>();
    if (pairing.guessed()) {
      remarks.add(
          "paired by the order of bus ids: compare the serial numbers of GPUs on both sides"
              + " (nvidia-smi --query-gpu=pci.bus_id,serial --format=csv), correct them with --map HOST=GUEST");
    }
    if (dump.isEmpty()) {
      remarks.add(
          "the guest without the file is assumed to be flat, every device directly below one CPU (--guest with"
              + " a topology dumped in the guest replaces the assumption)");
    }
    remarks.addAll(pairing.remarks());
    remarks.addAll(machine.remarks());
    return new GuestComparison(
        MachineName.of(host),
        pairing,
        view(machine.host(), settings),
        view(before, settings),
        dump.isEmpty(),
        view(machine.complete(), settings),
        remarks);
  }

  private GuestView view(XmlElement machine, NcclSettings settings) {
    NcclProfile profile = version.profile();
    return GuestView.of(evaluator(), machines().edited(machine, profile), settings, profile);
  }

  private OptionalInt vcpus() {
    if (vcpus != null && (vcpus < 1 || vcpus > MAX_VCPUS)) {
      throw new SettingException(
          "--vcpus %s: expected a number from 1 to %s, NCCL cannot read longer masks (without it NCCL asks the guest)"
              .formatted(vcpus, MAX_VCPUS));
    }
    return vcpus == null ? OptionalInt.empty() : OptionalInt.of(vcpus);
  }

  private Map<String, String> map() {
    BusIdPairs pairs = new BusIdPairs();
    for (String text : maps) {
      if (!pairs.add(text.split("=", -1))) {
        throw new SettingException(
            "--map %s: expected HOST=GUEST once for each device, as 0000:1b:00.0=0000:05:00.0"
                .formatted(text));
      }
    }
    if (mapFile != null) {
      pairs.addFile(mapFile, inputs());
    }
    return pairs.map();
  }
}
