package dev.topo.simulator.whatif;

import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.search.communicator.Communicator;
import dev.topo.search.connect.GraphSource;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.path.Paths;
import dev.topo.search.tuning.CollectiveCall;
import dev.topo.simulator.CallPlanner;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.Predictor;
import dev.topo.simulator.calibration.Calibration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * A job as it would be under one variant of a machine: what NCCL finds and chooses, and how fast
 * that is. Busbw rests on a calibration where there is one and the timing model covers the call
 * (rings, and AllReduce by trees and NVLS, on one node), else on NCCL's own tuning model. Not for
 * use by several threads.
 */
public final class WhatIfOutcome {
  /** One process for each GPU, as the readers of topologies assume. */
  private static final int GPUS_PER_PROCESS = 1;

  private final String name;
  private final Machine machine;
  private final boolean isDeclared;
  private final Communicator communicator;
  private final Predictor predictor;

  /**
   * The outcome for a job.
   *
   * @param name what to call it
   * @param machine the machine of the job that the variants are about
   * @param job the job
   * @param actual the machine that is there, if NCCL is told of another; counts on one node only
   * @param graphs where the graphs come from
   * @param predictors what tells how long calls take on the machine that is there
   * @throws dev.topo.model.job.UnusableTopologyException where NCCL would give up
   */
  public WhatIfOutcome(
      String name,
      Machine machine,
      Job job,
      Optional<Machine> actual,
      GraphSource graphs,
      Function<CallPlanner, Predictor> predictors) {
    this.name = Objects.requireNonNull(name, "name");
    this.machine = Objects.requireNonNull(machine, "machine");
    this.isDeclared = actual.isPresent();
    this.communicator = Communicator.of(job, graphs);
    this.predictor = predictors.apply(planner(communicator, actual));
  }

  private static CallPlanner planner(Communicator communicator, Optional<Machine> actual) {
    boolean hasRanks =
        actual.map(there -> there.nRanks() >= communicator.facts().nRanks()).orElse(false);
    if (communicator.facts().nNodes() > 1 || !hasRanks) {
      return new CallPlanner(communicator, GPUS_PER_PROCESS);
    }
    Machine there = actual.orElseThrow();
    Paths paths = DomainFinder.find(there.topology(), there.settings(), false).get(0).paths();
    return new CallPlanner(communicator, paths, GPUS_PER_PROCESS);
  }

  /** What to call it. */
  public String name() {
    return name;
  }

  /** The machine as NCCL sees it. */
  public Machine machine() {
    return machine;
  }

  /** Whether NCCL is told of the machine and another one is there. */
  public boolean isDeclared() {
    return isDeclared;
  }

  /** What NCCL makes of the job. */
  public Communicator communicator() {
    return communicator;
  }

  /** Whether the job has several nodes. */
  public boolean crossesNetwork() {
    return communicator.connection().nNodes() > 1;
  }

  /** The calibration that busbw rests on; none where NCCL's own model tells it. */
  public Optional<Calibration> calibration() {
    return predictor.calibration();
  }

  /** The devices of the machine, in groups that only the network joins. */
  public List<Domain> domains() {
    return DomainFinder.find(
        machine.topology(), machine.settings(), communicator.job().machines().size() > 1);
  }

  /** A graph as all nodes agree on it. */
  public ChannelGraph graph(GraphKind kind) {
    return communicator.connection().agreedGraphs(0).get(kind);
  }

  /**
   * What all channels of a graph carry, in GB/s: between nodes if there are several, else inside
   * the node; 0 if there is no such graph.
   */
  public double bandwidthGBps(GraphKind kind) {
    ChannelGraph graph = graph(kind);
    return (double) graph.nChannels() * (crossesNetwork() ? graph.bwInter() : graph.bwIntra());
  }

  /** What a call takes by NCCL's choice; empty if NCCL refuses it or there is one rank only. */
  public Optional<Prediction> prediction(CollectiveCall call) {
    return predictor.predict(call, false);
  }

  /** The measures by which outcomes are ranked. */
  public Score score(CollectiveCall call) {
    return new Score(
        bandwidthGBps(GraphKind.RING),
        bandwidthGBps(GraphKind.TREE),
        prediction(call).map(Prediction::busbwGBps).orElse(0.0),
        communicator.connection().nChannels());
  }
}
