package dev.topo.cli;

import dev.topo.cli.help.HelpPage;
import dev.topo.search.rules.NcclProfile;
import dev.topo.visualizer.view.Json;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;

/** The options for help and version. */
final class HelpOptions {
  /** One option, as picocli expects one only: which name was used decides what is shown. */
  @Option(
      names = {"-h", "--help", HelpPage.ALL},
      usageHelp = true,
      description = "Show the help with the main options, or with all of them.")
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version of topo and the NCCL release that it follows.")
  private boolean version;

  /** The version of topo and of the rules that it follows, read only if it is shown. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {
        "topo " + Json.TOPO_VERSION + ", rules of NCCL " + NcclProfile.DEFAULT.version()
      };
    }
  }
}
