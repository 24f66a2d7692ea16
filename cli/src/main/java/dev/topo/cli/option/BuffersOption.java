package dev.topo.cli.option;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.search.kernel.CallPaths;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The option for the kind of the calls' buffers: plain, registered or symmetric. */
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

  /** True if the user names kinds of buffers. */
  public boolean isGiven() {
    return !kinds.isEmpty();
  }

  /** The kinds of buffers in the order given, without duplicates. */
  public List<Buffers> kinds() {
    return kinds.stream()
        .map(kind -> OptionValue.ofLabel(NAME, kind, Buffers.values(), Buffers::label, ""))
        .distinct()
        .toList();
  }

  /**
   * The kinds of buffers, provided that it is known what NCCL runs for each of them.
   *
   * @throws SettingException if it is not known for one of them in the communicator's release
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

  /**
   * Removes the settings whose effects on calls with these kinds of buffers are modelled; returns
   * all settings if the user names no kind.
   */
  public NcclSettings withoutModelled(NcclSettings settings) {
    return isGiven() ? TimeSpec.withoutBuffers(settings) : settings;
  }
}
