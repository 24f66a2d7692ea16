package dev.topo.cli;

import dev.topo.cli.help.HelpPage;
import dev.topo.search.rules.NcclProfile;
import dev.topo.visualizer.view.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
        "topo %s%s, rules of NCCL %s"
            .formatted(Json.TOPO_VERSION, commit(), NcclProfile.DEFAULT.version())
      };
    }

    /**
     * The commit of a package is a resource that packaging adds; the launcher of the sources states
     * its own. A build by Maven has neither, so that its bytes depend on the sources alone.
     */
    private static String commit() {
      String stated = System.getProperty("topo.commit", "");
      try (InputStream file = HelpOptions.class.getResourceAsStream("commit.txt")) {
        String commit =
            file == null
                ? stated
                : new String(file.readAllBytes(), StandardCharsets.US_ASCII).strip();
        return commit.isEmpty() ? "" : " (" + commit + ")";
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
