package dev.topo.search.tuning;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Collective;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The operations of the CollNet plugin. NCCL sees from its functions whether it gathers and
 * scatters ({@code ncclTopoTuneModel}, {@code nccl:src/graph/tuning.cc}); plugins for version 7 of
 * the interface and older ones do not. Here it is a statement, by default that it does, as NCCL's
 * SHARP plugin.
 */
final class CollNetPlugin {
  private static final String NAME = "TOPO_COLLNET_PLUGIN";
  private static final List<Collective> KNOWN =
      List.of(Collective.ALL_REDUCE, Collective.ALL_GATHER, Collective.REDUCE_SCATTER);

  private CollNetPlugin() {}

  /**
   * The collectives that it supports.
   *
   * @throws SettingException if the statement is not a list of operations with all_reduce
   */
  static Set<Collective> operations(NcclSettings settings) {
    if (settings.text(NAME).isEmpty()) {
      return EnumSet.copyOf(KNOWN);
    }
    String text = settings.text(NAME).get();
    Set<Collective> stated = EnumSet.noneOf(Collective.class);
    for (String name : Arrays.asList(text.split(",", -1))) {
      stated.add(
          KNOWN.stream()
              .filter(known -> known.ncclTestsName().equals(name.strip()))
              .findFirst()
              .orElseThrow(() -> wrong(text)));
    }
    if (!stated.contains(Collective.ALL_REDUCE)) {
      throw wrong(text);
    }
    return stated;
  }

  private static SettingException wrong(String text) {
    return new SettingException(
        "setting %s=%s: expected all_reduce, with or without all_gather and reduce_scatter"
            .formatted(NAME, text));
  }
}
