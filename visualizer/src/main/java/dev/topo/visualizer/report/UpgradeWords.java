package dev.topo.visualizer.report;

import dev.topo.model.QuantityFormat;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.variant.FleetUpgrade;
import dev.topo.simulator.variant.UpgradePoint;
import dev.topo.simulator.variant.UpgradePoint.Topic;
import dev.topo.simulator.variant.UpgradeResult;
import dev.topo.visualizer.times.BusbwWords;
import java.nio.file.Path;
import java.util.List;

/** Texts about an upgrade of NCCL that its page and its text share. */
public final class UpgradeWords {
  /** Text for two releases without a difference. */
  public static final String NOTHING = "nothing changes in channels, graphs, choices and busbw";

  private UpgradeWords() {}

  /** Both releases. */
  public static String releases(ReleaseRules from, ReleaseRules to) {
    return "NCCL " + from.release() + " → " + to.release();
  }

  /** The number of nodes of a fleet that change. */
  public static String answer(FleetUpgrade result) {
    int nodes = result.nFiles() - result.unreadable().size();
    return "%s of %s change%s"
        .formatted(
            result.nChanged(),
            QuantityFormat.count(nodes, "node"),
            result.nUnknown() > 0 ? ", of %s it is not known".formatted(result.nUnknown()) : "");
  }

  /** Text for unknown changes, with the reason. */
  public static String unknown(UpgradeResult result) {
    return "what changes is not known: " + result.unknown().orElse("");
  }

  /** One change. */
  public static String point(UpgradeResult result, UpgradePoint point) {
    return "%s, %s: %s"
        .formatted(
            point.topic().label(),
            point.subject(),
            point.topic() == Topic.BUSBW ? busbw(result) : point.before() + " → " + point.after());
  }

  /** The largest change of busbw, with its ranges. */
  public static String busbw(UpgradeResult result) {
    return BusbwWords.sentence(result.change().mostBusbw().orElseThrow());
  }

  /** The first files of a group, and the number of the others. */
  public static String files(List<Path> files, int most) {
    return QuantityFormat.firstOf(files.stream().map(Path::toString).toList(), most);
  }
}
