package dev.topo.cli;

import dev.topo.cli.output.OutputPlan;
import dev.topo.cli.output.Streams;
import dev.topo.model.Topology;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.path.UnusableTopologyException;
import dev.topo.model.settings.NcclSettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/**
 * A command that answers one question about each of some machines. A file that cannot be used does
 * not keep the others from their answers; the exit status tells that there was one.
 */
abstract class MachineCommand implements Callable<Integer> {
  @Mixin private InputOptions input = new InputOptions();
  @Mixin private SettingOptions setting = new SettingOptions();
  @Mixin private OutputOptions output = new OutputOptions();

  private final Streams streams;
  private final Map<String, String> environment;

  MachineCommand(Streams streams, Map<String, String> environment) {
    this.streams = streams;
    this.environment = environment;
  }

  /** The format of the answer. */
  interface Format {
    /** Extension of files in this format, with its dot. */
    String extension();

    /** Whether it is for people: several answers may follow each other. */
    boolean isText();
  }

  abstract Format format();

  /**
   * The answer for a machine.
   *
   * @param name what to call the machine
   */
  abstract String answer(String name, Topology topology, NcclSettings settings, Streams messages);

  @Override
  public Integer call() {
    NcclSettings settings = setting.settings(environment, streams);
    OutputPlan plan = output.plan(input.files(), format().extension(), format().isText(), streams);
    int status = ExitStatus.DONE;
    String gap = "";
    for (Path file : input.files()) {
      try {
        String answer = answer(name(file), input.read(file, streams), settings, streams);
        plan.write(file, plan.isShared() ? gap + answer : answer);
        gap = "\n";
      } catch (TopologyFormatException e) {
        streams.message(e.getMessage());
        status = ExitStatus.BAD_INPUT;
      } catch (UnusableTopologyException e) {
        streams.message(file + ": NCCL gives up on this topology: " + e.getMessage());
        status = ExitStatus.BAD_INPUT;
      }
    }
    return status;
  }

  /** The name of the file without extension; of its folder where the file is just called topo. */
  private static String name(Path file) {
    String base = String.valueOf(file.getFileName());
    String stem = base.endsWith(".xml") ? base.substring(0, base.length() - ".xml".length()) : base;
    Path folder = file.toAbsolutePath().normalize().getParent();
    if (!stem.equals("topo") || folder == null || folder.getFileName() == null) {
      return stem;
    }
    return folder.getFileName().toString();
  }
}
