package dev.topo.cli.option;

import dev.topo.model.job.NcclSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** Settings for running NCCL, in addition to those in the environment. */
public final class AddedSettings {
  @Option(
      names = "--env",
      paramLabel = "NAME=VALUE",
      description = "An NCCL setting in addition to those of this process; may be repeated.")
  private List<String> assignments = new ArrayList<>();

  /** The settings by name. */
  public Map<String, String> values() {
    return NcclSettings.parse(assignments).values();
  }
}
