package dev.topo.cli.option;

import dev.topo.cli.option.OptionValue.OfferedValues;
import dev.topo.inspect.log.RunOrigin;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.rules.ReleaseRules.NcclRelease;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Option for the NCCL release whose rules an answer follows. */
public final class VersionOptions {
  @Option(
      names = "--nccl",
      paramLabel = "VERSION",
      completionCandidates = OfferedValues.Releases.class,
      description =
          "NCCL release to follow, as in 2.27.5 (default: that of the measurements or the log, else"
              + " 2.28.9); --nccl list shows all.")
  private @Nullable String version;

  private @Nullable ReleaseRules parsed;

  /** The rules of the release that the user names, or else of the default release. */
  public ReleaseRules rules() {
    return named().orElse(ReleaseRules.DEFAULT);
  }

  /**
   * The rules of the release that the user names, or else of that of a run, or else of the default
   * release.
   */
  public ReleaseRules rules(RunOrigin origin) {
    return named().or(origin::rules).orElse(ReleaseRules.DEFAULT);
  }

  /** The rules of the named release; empty without the option. */
  public Optional<ReleaseRules> named() {
    if (parsed == null && version != null) {
      parsed = parse("--nccl ", version);
    }
    return Optional.ofNullable(parsed);
  }

  /** True if the user asks for all releases. */
  public boolean isAll() {
    return "all".equals(version);
  }

  /** The rules of both releases if the user names two, separated by a comma; otherwise empty. */
  public List<ReleaseRules> two() {
    return version == null || !version.contains(",")
        ? List.of()
        : Stream.of(version.split(",", 2)).map(text -> parse("--nccl ", text)).toList();
  }

  /** The profile of the rules to follow. */
  public NcclProfile profile() {
    return rules().profile();
  }

  /**
   * Parses the release that an option names.
   *
   * @throws dev.topo.model.job.SettingException if it is not a release with rules; the message
   *     begins with {@code prefix}
   */
  public static ReleaseRules parse(String prefix, String text) {
    return OptionValue.accepted(prefix, () -> ReleaseRules.of(NcclRelease.parse(text)));
  }
}
