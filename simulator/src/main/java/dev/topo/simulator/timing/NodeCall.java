package dev.topo.simulator.timing;

/** Facts that determine the time of a call on one node: {@link TimingModel#timeUs(NodeCall)}. */
public sealed interface NodeCall permits CallShape, PeerShape {}
