package dev.topo.cli;

import dev.topo.cli.option.InputOptions.DiagnosticOptions;
import dev.topo.cli.option.ProbeSettings;
import dev.topo.cli.option.SettingOptions;
import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.hw.probe.CaptureFormatException;
import dev.topo.hw.probe.CaptureReader;
import dev.topo.hw.probe.CaptureWriter;
import dev.topo.hw.probe.MachineProbe;
import dev.topo.hw.probe.NicView;
import dev.topo.hw.probe.ProbeOptions;
import dev.topo.hw.probe.ProbeResult;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.model.io.Diagnostic;
import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.io.OutputException;
import dev.topo.model.io.WholeFile;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlWriter;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo probe}: shows this machine, or a captured one, as NCCL sees it. */
@Command(
    name = "probe",
    description = {
      "This machine as NCCL sees it, in the XML of NCCL_TOPO_DUMP_FILE.",
      "Without an NVIDIA driver, GPUs are shown with what PCI reports."
    })
final class ProbeCommand extends Subcommand {
  @Option(
      names = "--sysfs-root",
      paramLabel = "PATH",
      description =
          "Examine a captured machine: a file of --capture, or a folder with its contents.")
  private @Nullable Path sysfsRoot;

  @Option(
      names = "--capture",
      paramLabel = "FILE",
      description =
          "Pack what a probe reads into this .tar.gz, without serial numbers and addresses, to attach to a bug report.")
  private @Nullable Path capture;

  @Option(
      names = "--merged-nics",
      description =
          "Show merged NICs, as NCCL's search uses them (default: each port, as in NCCL's dump).")
  private boolean mergedNics;

  @Option(
      names = "--visible-devices",
      paramLabel = "LIST",
      description =
          "Replaces CUDA_VISIBLE_DEVICES of this process; a captured machine otherwise shows all GPUs.")
  private @Nullable String visibleDevices;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the topology to this file.")
  private @Nullable Path file;

  @Mixin private DiagnosticOptions diagnostics = new DiagnosticOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private SettingOptions setting = new SettingOptions();

  @Override
  List<String> fileEndings() {
    return List.of(".xml");
  }

  @Override
  public Integer call() {
    if (capture != null && (sysfsRoot != null || file != null)) {
      throw new OutputException(
          "--capture packs this machine and writes no topology, expected it alone");
    }
    if (capture != null) {
      return pack(capture);
    }
    ProbeOptions options = options();
    if (sysfsRoot == null) {
      return write(MachineProbe.ofThisMachine(inputs()), options);
    }
    return replay(sysfsRoot, options);
  }

  private ProbeOptions options() {
    NcclSettings settings = setting.forMachine(context(), version.rules());
    ProbeOptions options =
        (sysfsRoot == null
                ? ProbeSettings.ofThisHost(settings, inputs())
                : ProbeSettings.ofCapture(settings, inputs()))
            .withNics(mergedNics ? NicView.MERGED : NicView.PHYSICAL);
    String visible = visibleDevices;
    if (visible == null && sysfsRoot == null) {
      visible = environment().get("CUDA_VISIBLE_DEVICES");
    }
    return visible == null ? options : options.withVisibleDevices(visible);
  }

  private int replay(Path root, ProbeOptions options) {
    try {
      return CaptureReader.read(root, inputs(), probe -> write(probe, options));
    } catch (CaptureFormatException e) {
      throw unusable(root, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw OutputException.of("cannot unpack " + root, e);
    }
  }

  private int write(MachineProbe probe, ProbeOptions options) {
    ProbeResult result = probe.run(options);
    boolean isMissing =
        sysfsRoot == null
            && result.observation().nvml().value().stream()
                .allMatch(driver -> driver.devices().isEmpty());
    for (Diagnostic diagnostic : result.diagnostics()) {
      if (isMissing && diagnostic.severity() == Severity.WARNING) {
        message("warning: " + diagnostic);
      } else {
        diagnostics.show(diagnostic, streams());
      }
    }
    OutputPlan plan = plan(file);
    Envelope envelope = envelope(version.rules(), CaveatFinder.ofDetection(version.profile()));
    plan.write(
        Path.of("this machine"),
        rendered(Answer.of(XmlWriter.write(result.system())), envelope, "xml"));
    return isMissing ? ExitStatus.MISSING : ExitStatus.DONE;
  }

  private int pack(Path target) {
    try {
      OutputPlan.check(target, inputs());
      WholeFile.write(
          target, inputs(), out -> CaptureWriter.write(MachineProbe.ofThisMachine(inputs()), out));
    } catch (IOException e) {
      throw OutputException.of("cannot write " + target, e);
    }
    message("packed to " + target + ": topo probe --sysfs-root " + target + " shows what is in it");
    return ExitStatus.DONE;
  }
}
