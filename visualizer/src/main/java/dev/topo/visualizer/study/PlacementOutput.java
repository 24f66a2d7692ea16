package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.model.nic.HostList;
import dev.topo.model.nic.SwitchMap;
import dev.topo.simulator.workload.PlacementAnswer;
import dev.topo.simulator.workload.PlacementAnswer.Order;
import dev.topo.simulator.workload.PlacementAnswer.Share;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.BasisFooter;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.OptionWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Orders of the hosts of a job.
 *
 * @param title the machines of the job
 * @param slots ranks of a host
 * @param isUsual whether the calls are usual ones, as the user states none
 */
public record PlacementOutput(
    String title, PlacementAnswer answer, SwitchMap switches, int slots, boolean isUsual) {
  private static final Fields<Share> SHARE =
      Fields.of(Share.class)
          .components("name")
          .optional("timeUs", share -> finite(share.timeUs()))
          .components("communicators", "crossing");

  private static final Fields<Order> ORDER =
      Fields.of(Order.class)
          .components("name")
          .optional("timeUs", order -> finite(order.timeUs()))
          .components("hosts")
          .list("groups", Order::groups, SHARE);

  private static final Fields<PlacementAnswer> FIELDS =
      Fields.of(PlacementAnswer.class)
          .list("orders", PlacementAnswer::orders, ORDER)
          .optional("boundUs", answer -> finite(answer.bound().timeUs()))
          .field("isExhaustive", PlacementAnswer::isExhaustive);

  private static Optional<Double> finite(double us) {
    return Double.isInfinite(us) ? Optional.empty() : Optional.of(us);
  }

  private static String time(double us) {
    return finite(us).map(QuantityFormat::time).orElse("no path");
  }

  /** The best order for a launcher, or all orders as text or JSON. */
  public Answer in(String format) {
    return switch (format) {
      case "text" -> text();
      case "json" -> Json.document("place", basis(), FIELDS, answer).saying(sentence());
      default -> Answer.of(lines(format)).saying(sentence());
    };
  }

  private String lines(String format) {
    List<String> hosts = answer.best().hosts();
    StringBuilder lines = new StringBuilder();
    for (int node = 0; node < hosts.size(); node++) {
      lines.append(
          switch (format) {
            case "hostfile" -> hosts.get(node) + " slots=" + slots + "\n";
            case "slurm" -> (hosts.get(node) + "\n").repeat(slots);
            default -> hosts.get(node) + " --node-rank=" + node + "\n";
          });
    }
    return lines.toString();
  }

  private String sentence() {
    Order best = answer.best();
    boolean isSame = best.timeUs() >= answer.given().timeUs();
    return "Communication of a step of %s takes %s %s%s; no order takes less than %s."
        .formatted(
            title,
            time(best.timeUs()),
            isSame ? "as given, and no better order was found" : "in the best order found",
            isSame ? "" : " instead of " + time(answer.given().timeUs()),
            time((answer.isExhaustive() ? best : answer.bound()).timeUs()));
  }

  private Answer text() {
    TextWriter out = new TextWriter();
    TextTable table = TextTable.indented();
    List<String> head = new ArrayList<>(List.of("order", "step"));
    answer.bound().groups().forEach(group -> head.addAll(List.of(group.name(), "cross leaves")));
    table.row(head.toArray());
    Stream.concat(answer.orders().stream(), Stream.of(answer.bound()))
        .forEach(
            order -> {
              List<String> row = new ArrayList<>(List.of(order.name(), time(order.timeUs())));
              for (Share group : order.groups()) {
                row.add(time(group.timeUs()));
                row.add(
                    order == answer.bound()
                        ? ""
                        : group.crossing() + " of " + group.communicators());
              }
              table.row(row.toArray());
            });
    out.table(table).line("");
    out.paragraph("hosts: " + HostList.fold(answer.best().hosts()), "  ");
    BasisFooter.write(out, basis(), true);
    return Answer.of(out).saying(sentence());
  }

  private List<String> basis() {
    List<String> basis = new ArrayList<>();
    if (isUsual) {
      basis.add("one AllReduce of 256 MiB for each kind of group: no calls are stated");
    }
    basis.add(
        "predictions of kinds of groups one after another, all groups of a kind at once; no range is known (docs/predict.md)");
    List<String> unknown =
        switches.parents().keySet().stream()
            .filter(name -> switches.uplink(name).isEmpty())
            .toList();
    if (!unknown.isEmpty()) {
      basis.add(
          "uplinks of %s taken for wide enough: no bandwidth is stated (%s)"
              .formatted(HostList.fold(unknown), OptionWords.of(SpecField.UPLINK_GBPS)));
    }
    return basis;
  }
}
