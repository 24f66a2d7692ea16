package dev.topo.simulator.memory;

import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.kernel.CallPaths.Buffers;

/** A call of an application by which NCCL may take memory. */
public sealed interface MemoryStep {
  /** The step as it is written: {@code split all_reduce 256 MiB}. */
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
   * A collective.
   *
   * @param group the communicator that makes it
   * @param buffers how NCCL knows its buffers, which are not the same
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
   * {@code ncclMemAlloc} of buffers of the application.
   *
   * @param count how many
   * @param sizeBytes size of each
   */
  record Allocation(int count, long sizeBytes) implements MemoryStep {
    @Override
    public String label() {
      return "ncclMemAlloc %d x %s".formatted(count, StepParser.size(sizeBytes));
    }
  }

  /**
   * A call of the communicators of one kind of group.
   *
   * @param name the kind, as in {@code tp}
   * @param step the call, as of a job of its own
   */
  record OfGroup(String name, MemoryStep step) implements MemoryStep {
    @Override
    public String label() {
      return name + " " + step.label();
    }
  }

  /** A call about buffers of {@code ncclMemAlloc}. */
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

  /** A communicator that the steps make. */
  enum Group {
    JOB(""),
    /** All ranks, {@code config.splitShare} of the split unset. */
    SPLIT("split"),
    /** All ranks, {@code config.splitShare} of the split 1. */
    SPLIT_SHARE("split share"),
    /** Ranks with even and with odd numbers. */
    SPLIT_HALVES("split halves");

    private final String label;

    /** The step that makes it; empty for the job. */
    public String label() {
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
   * The step of a text such as {@code split all_reduce 256 MiB}.
   *
   * @throws IllegalArgumentException if it is none, with what is expected
   */
  static MemoryStep parse(String text) {
    return StepParser.parse(text);
  }
}
