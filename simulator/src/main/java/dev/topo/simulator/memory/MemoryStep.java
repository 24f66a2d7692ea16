package dev.topo.simulator.memory;

import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.kernel.CallPaths.Buffers;

/** A call of an application for which NCCL may take memory. */
public sealed interface MemoryStep {
  /** Text form of the step, as in {@code split all_reduce 256 MiB}. */
  String label();

  /** {@code ncclCommInitRank} of the whole job. */
  record Init() implements MemoryStep {
    @Override
    public String label() {
      return "init";
    }
  }

  /** {@code ncclCommSplit} of the communicator of the job. */
  record Split(Group group) implements MemoryStep {
    @Override
    public String label() {
      return group.label;
    }
  }

  /**
   * A collective. Its send and receive buffers differ.
   *
   * @param group the communicator of the call
   * @param buffers registration of the buffers
   */
  record CollectiveStep(Group group, CollectiveCall call, Buffers buffers) implements MemoryStep {
    @Override
    public String label() {
      String name = call.collective().ncclTestsName() + " " + StepParser.size(call.sizeBytes());
      return group.prefix() + name + (buffers == Buffers.PLAIN ? "" : " " + buffers.label());
    }
  }

  /** Sends and receives in one group of calls. */
  record PeerStep(Group group, PeerOperation operation, long sizeBytes) implements MemoryStep {
    @Override
    public String label() {
      return group.prefix() + operation.ncclTestsName() + " " + StepParser.size(sizeBytes);
    }
  }

  /**
   * Application buffers allocated with {@code ncclMemAlloc}.
   *
   * @param count number of buffers
   * @param sizeBytes size of each
   */
  record Allocation(int count, long sizeBytes) implements MemoryStep {
    @Override
    public String label() {
      return "ncclMemAlloc %s x %s".formatted(count, StepParser.size(sizeBytes));
    }
  }

  /**
   * A call of all communicators of one kind of group.
   *
   * @param name name of the kind, as in {@code tp}
   * @param step the call, as in a job of one communicator
   */
  record OfGroup(String name, MemoryStep step) implements MemoryStep {
    @Override
    public String label() {
      return name + " " + step.label();
    }
  }

  /** A call that registers or deregisters buffers of {@code ncclMemAlloc}. */
  enum OfBuffers implements MemoryStep {
    /** {@code ncclCommRegister}. */
    REGISTER("register"),
    /** {@code ncclCommWindowRegister} with {@code NCCL_WIN_COLL_SYMMETRIC}. */
    WINDOWS("windows"),
    /** {@code ncclCommWindowDeregister}; NCCL keeps the memory. */
    WINDOWS_OFF("windows off");

    private final String label;

    OfBuffers(String label) {
      this.label = label;
    }

    @Override
    public String label() {
      return label;
    }
  }

  /** The communicators that steps can create. */
  enum Group {
    /** The communicator of the job. */
    JOB(""),
    /** Split of all ranks with {@code config.splitShare} unset. */
    SPLIT("split"),
    /** Split of all ranks with {@code config.splitShare} 1. */
    SPLIT_SHARE("split share"),
    /** Split into even and odd ranks. */
    SPLIT_HALVES("split halves");

    private final String label;

    /** Text of the step that creates the communicator; empty for that of the job. */
    String label() {
      return label;
    }

    Group(String label) {
      this.label = label;
    }

    String prefix() {
      return this == JOB ? "" : label + " ";
    }
  }

  /**
   * Parses a step such as {@code split all_reduce 256 MiB}.
   *
   * @throws IllegalArgumentException if the text is not a step, with what is expected
   */
  static MemoryStep parse(String text) {
    return StepParser.parse(text);
  }
}
