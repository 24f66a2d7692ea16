package dev.topo.simulator.timing;

/** What is known of the launches of kernels on a host. */
public enum LaunchHost {
  /** Nothing: the launch is that of the calibrated host. */
  UNKNOWN,
  /** The launch is stated, and each GPU has a process or thread of its own. */
  KNOWN,
  /** The launch is stated, and one thread launches the kernels of several GPUs. */
  ONE_THREAD
}
