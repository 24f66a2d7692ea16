package dev.topo.visualizer.view;

import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.search.rules.CoveredReleases;
import dev.topo.search.rules.ReleaseRules;
import java.util.List;

/** The rules and the releases that each covers. */
public final class VersionList {
  private record Document(List<Rules> rules) {}

  /** An entry with the releases that the rules answer for. */
  private record Rules(String version, boolean isDefault, List<String> releases) {}

  private VersionList() {}

  /** The list as JSON. */
  public static Answer json() {
    return Json.document(
        "versions",
        new Document(
            CoveredReleases.all().stream()
                .map(
                    one ->
                        new Rules(
                            one.version(),
                            isDefault(one),
                            one.releases().stream().map(Object::toString).toList()))
                .toList()));
  }

  private static boolean isDefault(CoveredReleases one) {
    return one.version().equals(ReleaseRules.DEFAULT.named());
  }

  /** The list as a table. */
  public static Answer text() {
    TextTable table = TextTable.atMargin().header("rules,releases");
    for (CoveredReleases one : CoveredReleases.all()) {
      List<String> releases = one.releases().stream().map(Object::toString).toList();
      table.row(one.version(), String.join(", ", releases) + (isDefault(one) ? " (default)" : ""));
    }
    TextWriter out = new TextWriter().table(table);
    out.line(
        "\na release in between takes the nearest older rules, a newer one the newest; both are marked in the answer");
    return Answer.of(out.toString());
  }
}
