package dev.topo.visualizer.chart;

import dev.topo.model.operation.Collective;
import dev.topo.model.operation.PeerOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The charts of several sweeps for one sheet: a chart for each operation and sweep that has
 * measurements of it by NCCL's choice, the collectives first.
 *
 * @param sweeps what was measured of each machine or variant
 * @param collectives the collectives
 * @param peers operations of sends and receives, which have no algorithms to force
 */
public record SweepSheet(
    List<Sweep> sweeps, List<Collective> collectives, List<PeerOperation> peers) {
  public SweepSheet {
    sweeps = List.copyOf(sweeps);
    collectives = List.copyOf(collectives);
    peers = List.copyOf(peers);
  }

  /** Measured, predicted and NCCL's own busbw. */
  public List<Chart> busbw() {
    List<Chart> charts = new ArrayList<>(ofCollectives(SweepCharts::busbw));
    charts.addAll(ofPeers(PeerCharts::busbw));
    return charts;
  }

  /** The busbw of each forced algorithm and protocol. */
  public List<Chart> pairs() {
    return ofCollectives(SweepCharts::pairs);
  }

  /** The errors of predictions. */
  public List<Chart> errors() {
    List<Chart> charts = new ArrayList<>(ofCollectives(SweepCharts::error));
    charts.addAll(ofPeers(PeerCharts::error));
    return charts;
  }

  private List<Chart> ofCollectives(Function<SweepCharts, Chart> chart) {
    return collectives.stream()
        .flatMap(collective -> sweeps.stream().map(sweep -> new SweepCharts(sweep, collective)))
        .filter(charts -> !charts.isEmpty())
        .map(chart)
        .toList();
  }

  private List<Chart> ofPeers(Function<PeerCharts, Chart> chart) {
    return peers.stream()
        .flatMap(operation -> sweeps.stream().map(sweep -> PeerCharts.of(sweep, operation)))
        .filter(charts -> !charts.isEmpty())
        .map(chart)
        .toList();
  }
}
