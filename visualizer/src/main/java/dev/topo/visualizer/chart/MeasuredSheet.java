package dev.topo.visualizer.chart;

import dev.topo.model.operation.Collective;
import dev.topo.model.operation.PeerOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The charts of several series for one sheet: one for each operation and series in which NCCL's
 * choice was measured, collectives first.
 *
 * @param measured the measurements of each machine or variant
 * @param collectives the collectives
 * @param peers the operations made of sends and receives, which have no algorithms to force
 */
public record MeasuredSheet(
    List<MeasuredSeries> measured, List<Collective> collectives, List<PeerOperation> peers) {
  public MeasuredSheet {
    measured = List.copyOf(measured);
    collectives = List.copyOf(collectives);
    peers = List.copyOf(peers);
  }

  /** Measured and predicted busbw, and that of NCCL's own model. */
  public List<Chart> busbw() {
    return ofAll(MeasuredCharts::busbw, PeerCharts::busbw);
  }

  /** The busbw of each forced algorithm and protocol. */
  public List<Chart> pairs() {
    return ofCollectives(MeasuredCharts::pairs);
  }

  /** The errors of predictions. */
  public List<Chart> errors() {
    return ofAll(MeasuredCharts::error, PeerCharts::error);
  }

  private List<Chart> ofAll(
      Function<MeasuredCharts, Chart> ofCollective, Function<PeerCharts, Chart> ofPeer) {
    List<Chart> charts = new ArrayList<>(ofCollectives(ofCollective));
    charts.addAll(ofPeers(ofPeer));
    return charts;
  }

  private List<Chart> ofCollectives(Function<MeasuredCharts, Chart> chart) {
    return collectives.stream()
        .flatMap(
            collective -> measured.stream().map(series -> new MeasuredCharts(series, collective)))
        .filter(charts -> !charts.isEmpty())
        .map(chart)
        .toList();
  }

  private List<Chart> ofPeers(Function<PeerCharts, Chart> chart) {
    return peers.stream()
        .flatMap(operation -> measured.stream().map(series -> PeerCharts.of(series, operation)))
        .filter(charts -> !charts.isEmpty())
        .map(chart)
        .toList();
  }
}
