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

/** Words an upgrade of NCCL, for its page and its text. */
public final class UpgradeWords {
  /** The sentence for two releases without a known difference. */
  public static final String NOTHING = "nothing changes in channels, graphs, choices and busbw";

  private UpgradeWords() {}

  /** Names both releases. */
  public static String releases(ReleaseRules from, ReleaseRules to) {
    return "NCCL " + from.release() + " → " + to.release();
  }

  /** States how many nodes of a fleet change. */
  public static String answer(FleetUpgrade result) {
    int nodes = result.nFiles() - result.unreadable().size();
    return "%s of %s change%s"
        .formatted(
            result.nChanged(),
            QuantityFormat.count(nodes, "node"),
            result.nUnknown() > 0 ? ", of %s it is not known".formatted(result.nUnknown()) : "");
  }

  /** States that the changes are unknown, and why. */
  public static String unknown(UpgradeResult result) {
    return "what changes is not known: " + result.unknown().orElse("");
  }

  /** Describes one change. */
  public static String point(UpgradeResult result, UpgradePoint point) {
    return "%s, %s: %s"
        .formatted(
            point.topic().label(),
            point.subject(),
            point.topic() == Topic.BUSBW ? busbw(result) : point.before() + " → " + point.after());
  }

  /** Describes the largest change of busbw, with its ranges. */
  public static String busbw(UpgradeResult result) {
    return BusbwWords.sentence(result.change().mostBusbw().orElseThrow());
  }

  /** Names the first files of a group and counts the others. */
  public static String files(List<Path> files, int limit) {
    return QuantityFormat.firstOf(files.stream().map(Path::toString).toList(), limit);
  }
}
