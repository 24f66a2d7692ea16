package dev.topo.simulator.variant;

import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.job.Machine;
import dev.topo.model.operation.Call;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.memory.JobMemory;
import java.util.List;
import java.util.Optional;

/**
 * A job with one variant of a machine. Busbw uses a calibration if there is one and the timing
 * model covers the call (rings, and AllReduce by trees and NVLS, on one node), otherwise NCCL's own
 * tuning model.
 *
 * @param name the name of the variant
 * @param node the index in the job of a machine that the variant changes
 * @param result the evaluated job
 */
public record WhatIfOutcome(String name, int node, JobResult result) {
  /** The changed machine as NCCL sees it. */
  public Machine machine() {
    return result.request().job().machines().get(node);
  }

  /** The channels of the job. */
  public Connection connection() {
    return result.connection();
  }

  /** True if NCCL_TOPO_FILE declares another machine than the actual one. */
  public boolean isDeclared() {
    return result.request().actual().isPresent();
  }

  /** True if the job has several nodes. */
  public boolean crossesNetwork() {
    return result.connection().nNodes() > 1;
  }

  /** The calibration of busbw; empty for NCCL's own model. */
  public Optional<Calibration> calibration() {
    return result.predictor().calibration();
  }

  /** The devices of the machine, in groups that only the network joins. */
  List<Domain> domains() {
    return DomainFinder.find(
        machine().topology(),
        machine().settings(),
        result.request().job().machines().size() > 1,
        result.connection().profile());
  }

  /** The graph that all nodes agree on. */
  public ChannelGraph graph(GraphKind kind) {
    return result.connection().agreedGraphs(0).get(kind);
  }

  /**
   * The bandwidth of all channels of a graph in GB/s: between nodes if there are several, otherwise
   * inside the node; 0 without such a graph.
   */
  public double bandwidthGBps(GraphKind kind) {
    ChannelGraph graph = graph(kind);
    return (double) graph.nChannels() * (crossesNetwork() ? graph.bwInter() : graph.bwIntra());
  }

  /** The time of a call by NCCL's choice; empty if NCCL refuses it or there is one rank only. */
  public Optional<Prediction> prediction(Call call) {
    return result.predict(call);
  }

  /** The memory that NCCL allocates for some calls; empty if unknown. */
  public Optional<JobMemory> memory(List<Call> calls) {
    return JobMemory.of(result, calls);
  }

  /** Memory that {@link #memory} does not include, in words. */
  List<String> memoryOmissions(List<Call> calls) {
    return JobMemory.omissions(result, calls);
  }

  /** The measures by which outcomes are ranked. */
  public Score score(Call call) {
    return new Score(
        bandwidthGBps(GraphKind.RING),
        bandwidthGBps(GraphKind.TREE),
        prediction(call).map(Prediction::busbwGBps).orElse(0.0),
        result.connection().nChannels());
  }
}
