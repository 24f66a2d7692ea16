package dev.topo.cli.option.call;

import dev.topo.model.operation.Collective;
import dev.topo.model.settings.SettingException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The option that names collectives. */
public final class CollectiveOptions {
  @Option(
      names = "--collective",
      paramLabel = "NAME",
      split = ",",
      description =
          "all_reduce, all_gather, reduce_scatter, broadcast, reduce, or all (default: all).")
  private List<String> names = new ArrayList<>();

  /** Whether none is named. */
  public boolean isEmpty() {
    return names.isEmpty();
  }

  /** The collectives: those that are named, or all. */
  public List<Collective> named() {
    if (names.isEmpty() || names.contains("all")) {
      return List.of(
          Collective.ALL_REDUCE,
          Collective.ALL_GATHER,
          Collective.REDUCE_SCATTER,
          Collective.BROADCAST,
          Collective.REDUCE);
    }
    return names.stream().map(CollectiveOptions::collective).distinct().toList();
  }

  private static Collective collective(String name) {
    String plain = name.replace("_", "").replace("-", "");
    return Collective.ofLabel(plain)
        .orElseThrow(
            () ->
                new SettingException(
                    "--collective %s: expected all_reduce, all_gather, reduce_scatter, broadcast, reduce or all"
                        .formatted(name)));
  }
}
