package dev.topo.cli.option;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.search.kernel.CallPaths;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** How NCCL knows the buffers of calls. */
public final class BuffersOption {
  private static final String NAME = "--buffers";

  @Option(
      names = NAME,
      split = ",",
      paramLabel = "KIND",
      description =
          "What NCCL runs for calls on buffers that are plain, registered (ncclCommRegister) or symmetric"
              + " (ncclCommWindowRegister with NCCL_WIN_COLL_SYMMETRIC); a list shows each.")
  private List<String> kinds = new ArrayList<>();

  /** True if the user asks for the paths of calls. */
  public boolean isGiven() {
    return !kinds.isEmpty();
  }

  /** The kinds, each once. */
  public List<Buffers> kinds() {
    return kinds.stream()
        .map(kind -> OptionValue.ofLabel(NAME, kind, Buffers.values(), Buffers::label, ""))
        .distinct()
        .toList();
  }

  /**
   * The kinds.
   *
   * @throws SettingException if the paths are not known for one of them in the communicator's
   *     release
   */
  public List<Buffers> kindsOf(CallPaths paths) {
    for (Buffers kind : kinds()) {
      paths
          .unknown(kind)
          .ifPresent(
              reason -> {
                throw new SettingException("%s %s: %s".formatted(NAME, kind.label(), reason));
              });
    }
    return kinds();
  }

  /** Settings without those that the paths of calls follow. */
  public static NcclSettings withoutModelled(NcclSettings settings) {
    return TimeSpec.withoutBuffers(settings);
  }
}
