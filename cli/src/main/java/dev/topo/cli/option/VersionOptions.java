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

/** The option for the release of NCCL whose rules an answer follows. */
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

  /** The rules of the release that the user names, or else the default. */
  public ReleaseRules rules() {
    return named().orElse(ReleaseRules.DEFAULT);
  }

  /** The rules of the release that the user names, or else of a run, or else the default. */
  public ReleaseRules rules(RunOrigin origin) {
    return named().or(origin::rules).orElse(ReleaseRules.DEFAULT);
  }

  /** The rules of the release that the user names; empty without the option. */
  public Optional<ReleaseRules> named() {
    if (parsed == null && version != null) {
      parsed = parse("--nccl ", version);
    }
    return Optional.ofNullable(parsed);
  }

  /** True if the user asks for all versions. */
  public boolean isAll() {
    return "all".equals(version);
  }

  /** The rules before and after, where the user names two releases; else none. */
  public List<ReleaseRules> two() {
    return version == null || !version.contains(",")
        ? List.of()
        : Stream.of(version.split(",", 2)).map(text -> parse("--nccl ", text)).toList();
  }

  /** The rules to follow, whichever release they are for. */
  public NcclProfile profile() {
    return rules().profile();
  }

  /** The rules of a release that an option names; fails with a usage error. */
  public static ReleaseRules parse(String begin, String text) {
    return OptionValue.accepted(begin, () -> ReleaseRules.of(NcclRelease.parse(text)));
  }
}
