package dev.topo.visualizer.view;

import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.rules.ReleaseRules.CoveredReleases;
import java.util.List;

/** The sets of rules and the NCCL releases that each covers. */
public final class VersionList {
  private static final Fields<CoveredReleases> RULES =
      Fields.of(CoveredReleases.class)
          .components("version")
          .field("isDefault", VersionList::isDefault)
          .field("releases", rules -> rules.releases().stream().map(Object::toString).toList())
          .components("isCompared");

  private VersionList() {}

  /** Returns the list as JSON. */
  public static Answer json() {
    return Json.document("versions", "rules", RULES, CoveredReleases.all());
  }

  private static boolean isDefault(CoveredReleases releases) {
    return releases.version().equals(ReleaseRules.DEFAULT.named());
  }

  /** Returns the list as a table. */
  public static Answer text() {
    TextTable table = TextTable.atMargin().header("rules,releases");
    for (CoveredReleases covered : CoveredReleases.all()) {
      List<String> releases = covered.releases().stream().map(Object::toString).toList();
      String mark = covered.isCompared() ? "" : " (rules read, answers not compared)";
      table.row(
          covered.version(),
          String.join(", ", releases) + (isDefault(covered) ? " (default)" : "") + mark);
    }
    TextWriter out = new TextWriter().table(table);
    out.line(
        "\na release in between takes the nearest older rules, a newer one the newest; both are marked in the answer");
    return Answer.of(out);
  }
}
