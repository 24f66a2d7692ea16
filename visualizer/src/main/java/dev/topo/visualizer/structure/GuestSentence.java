package dev.topo.visualizer.structure;

import dev.topo.inspect.guest.GuestMachine;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.verdict.GuestView;
import dev.topo.simulator.verdict.GuestView.Found;
import dev.topo.simulator.verdict.GuestView.GuestComparison;
import dev.topo.simulator.verdict.GuestView.NearestPort;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares a virtual machine with its host in one sentence: what to set in the guest first, and how
 * that changes the paths between GPUs and network cards.
 */
public final class GuestSentence {
  private GuestSentence() {}

  /** Returns the sentence. */
  public static String of(GuestComparison comparison) {
    GuestView before = comparison.before();
    GuestView after = comparison.after();
    if (after.nearest().equals(before.nearest()) && after.between().equals(before.between())) {
      return "NCCL_TOPO_FILE changes nothing in this guest: paths from GPUs to ports%s and channels between nodes are those of the host already."
          .formatted(after.nearest().isEmpty() ? "" : " (" + paths(after) + ")");
    }
    return "Set NCCL_TOPO_FILE in the guest to this file%s: %s%s; %s."
        .formatted(
            comparison.remarks().stream()
                    .anyMatch(remark -> remark.contains(GuestMachine.SEPARATE_CARDS))
                ? ", and " + GuestMachine.SEPARATE_CARDS
                : "",
            after.nearest().isEmpty()
                ? "it has the switches of the host"
                : "GPUs then reach NICs over %s instead of %s%s"
                    .formatted(
                        paths(after),
                        paths(before),
                        comparison.beforeIsAssumed() ? " (assumed)" : ""),
            rings(before, after),
            after.nearest().stream().anyMatch(NearestPort::gdr)
                ? "check NCCL's log for GDRDMA"
                : "GPUDirect RDMA stays off: load nvidia_peermem in the guest");
  }

  private static String rings(GuestView before, GuestView after) {
    double was = gbps(before.between().get(GraphKind.RING));
    double is = gbps(after.between().get(GraphKind.RING));
    return was == is
        ? ""
        : TextWriter.format(
            "; rings carry %s instead of %s GB/s",
            PrintfNumber.general((float) is), PrintfNumber.general((float) was));
  }

  private static double gbps(@Nullable Found found) {
    return found == null ? 0 : found.channels() * found.bandwidthGBps();
  }

  /** The paths from GPUs to their ports, each with a count if they differ. */
  private static String paths(GuestView machine) {
    Map<String, Long> counts =
        machine.nearest().stream()
            .collect(
                Collectors.groupingBy(
                    port -> port.path() + (port.gdr() ? " with GPUDirect RDMA" : " without it"),
                    TreeMap::new,
                    Collectors.counting()));
    List<String> parts =
        counts.entrySet().stream()
            .map(
                path ->
                    counts.size() == 1 ? path.getKey() : path.getValue() + " x " + path.getKey())
            .toList();
    return String.join(", ", parts);
  }
}
