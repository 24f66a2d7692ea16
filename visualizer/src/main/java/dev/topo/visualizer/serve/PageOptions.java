package dev.topo.visualizer.serve;

import dev.topo.model.job.SettingCatalog;
import dev.topo.model.job.SettingCatalog.NcclSetting;
import dev.topo.model.operation.Operation;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.rules.ReleaseRules.CoveredReleases;
import dev.topo.simulator.network.NetworkFile;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import java.util.List;

/** The choices that a page offers. */
final class PageOptions {
  private static final Fields<ServedMachine> MACHINE =
      Fields.of(ServedMachine.class)
          .field("id", ServedMachine::id)
          .field("name", ServedMachine::name)
          .field("file", ServedMachine::file)
          .field("description", ServedMachine::description);

  private PageOptions() {}

  /** The current machines, and the releases, settings, networks and operations that topo knows. */
  static Answer of(MachineShelf shelf) {
    return Json.document(
        "serve-options",
        Fields.of(MachineShelf.class)
            .list("machines", MachineShelf::all, MACHINE)
            .field("releases", machines -> releases())
            .field("defaultRelease", machines -> ReleaseRules.DEFAULT.named())
            .field(
                "settings",
                machines -> SettingCatalog.all().stream().map(NcclSetting::name).toList())
            .field("networks", machines -> NetworkFile.SHIPPED)
            .field("operations", machines -> operations()),
        shelf);
  }

  private static List<String> releases() {
    return CoveredReleases.all().stream()
        .flatMap(rules -> rules.releases().stream())
        .map(Object::toString)
        .toList();
  }

  private static List<String> operations() {
    return Operation.all().stream()
        .filter(Operation::isOneCall)
        .map(Operation::ncclTestsName)
        .toList();
  }

  /** A machine that was just dropped into a page. */
  static Answer of(ServedMachine machine) {
    return Json.document("serve-machine", MACHINE, machine);
  }
}
