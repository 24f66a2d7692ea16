package dev.topo.cli;

import dev.topo.cli.option.CallOptions;
import dev.topo.cli.option.OptionValue;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CallSizes;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.transfer.PeerPlanner;
import dev.topo.simulator.advice.Permission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that select the calls to speed up and the changes that may be advised. */
final class AdviceOptions {
  private static final List<Long> SIZES = CallSizes.parse("64K:1G:4");

  /**
   * Operations of sends and receives that are included, besides the collectives, if the user names
   * no operation.
   */
  private static final List<PeerOperation> PEERS =
      List.of(PeerOperation.ALLTOALL, PeerOperation.SENDRECV);

  @Option(
      names = "--may",
      paramLabel = "WHAT",
      split = ",",
      description =
          "What may be changed: settings (NCCL_*), tuner (algorithm and protocol by the tuner plugin), graph"
              + " (NCCL_GRAPH_FILE), code (registered and symmetric buffers) (default: settings,tuner).")
  private List<String> may = new ArrayList<>(List.of("settings", "tuner"));

  @Mixin private CallOptions calls = new CallOptions();

  /** The kinds of change that {@code --may} allows. */
  Set<Permission> permissions() {
    return permissions(may, List.of(Permission.values()));
  }

  /**
   * Parses the values of {@code --may}.
   *
   * @param known the permissions that the command offers
   */
  static Set<Permission> permissions(List<String> names, List<Permission> known) {
    Set<Permission> permissions = EnumSet.noneOf(Permission.class);
    Permission[] values = known.toArray(Permission[]::new);
    names.forEach(
        name -> permissions.add(OptionValue.ofLabel("--may", name, values, Permission::label, "")));
    return permissions;
  }

  /**
   * The requested calls. If the user names no operation, sends and receives are included only where
   * the release's rules cover them.
   */
  List<Call> calls(NcclProfile profile) {
    List<Long> sizes = calls.hasSizes() ? calls.sizes() : SIZES;
    List<Call> requested = new ArrayList<>(calls.all(sizes));
    if (!calls.isNamed() && PeerPlanner.covers(profile)) {
      requested.addAll(Call.ofEach(PEERS, sizes));
    }
    return requested;
  }
}
