package dev.topo.hw.verify;

import dev.topo.hw.run.ReplayPart;
import dev.topo.hw.run.ReplayPart.Function;
import dev.topo.inspect.trace.CallKind;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.workload.CallSite;
import dev.topo.simulator.workload.TransferMatrix;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * NCCL calls that PyTorch makes on each rank of a group for one call of a job ({@code
 * torch/csrc/cuda/nccl.cpp}, 2.11). An operation with a part for each rank becomes sends and
 * receives in one NCCL group.
 *
 * @param parts calls of each rank; empty if the call cannot be made
 * @param reason why it cannot be made; empty if it can
 */
record CallParts(List<List<ReplayPart>> parts, String reason) {
  private static CallParts none(String reason) {
    return new CallParts(List.of(), reason);
  }

  static CallParts of(CallSite site) {
    CallKind kind = site.kind();
    int nRanks = kind.group().size();
    if (kind.operation().isEmpty()) {
      return none("the trace does not say which call it is");
    }
    if (nRanks == 0) {
      return none("the trace does not list the ranks of the group");
    }
    if (nRanks == 1) {
      return none("a group of one rank has nothing to send");
    }
    if (kind.bytes() == 0) {
      return none("the trace has no size of the call");
    }
    Operation operation = kind.operation().get();
    if (operation instanceof Collective collective) {
      return collective(collective, kind, nRanks);
    }
    boolean isUnknownPair = kind.isPair() && nRanks > 2 && site.sent().isEmpty();
    Optional<long[][]> bytes =
        TransferMatrix.of((PeerOperation) operation, kind, site.sent(), nRanks);
    return bytes.isEmpty() || isUnknownPair
        ? none("which ranks send how much to which is not known")
        : new CallParts(transfers((PeerOperation) operation, bytes.get()), "");
  }

  private static CallParts collective(Collective collective, CallKind kind, int nRanks) {
    boolean hasPartOfEach =
        collective == Collective.ALL_GATHER || collective == Collective.REDUCE_SCATTER;
    long count = kind.bytes() / kind.dataType().sizeBytes() / (hasPartOfEach ? nRanks : 1);
    if (count == 0) {
      return none("less than an element of its type for each rank");
    }
    Function function =
        switch (collective) {
          case ALL_REDUCE -> Function.ALL_REDUCE;
          case ALL_GATHER -> Function.ALL_GATHER;
          case REDUCE_SCATTER -> Function.REDUCE_SCATTER;
          case BROADCAST -> Function.BROADCAST;
          case REDUCE -> Function.REDUCE;
        };
    // A trace lacks the factor of a scaled sum; a sum moves the same data.
    ReductionOperator operator =
        kind.operator() == ReductionOperator.PRE_MUL_SUM ? ReductionOperator.SUM : kind.operator();
    ReplayPart part = new ReplayPart(function, count, kind.dataType(), operator, 0, 0);
    return new CallParts(Collections.nCopies(nRanks, List.of(part)), "");
  }

  private static List<List<ReplayPart>> transfers(PeerOperation operation, long[][] bytes) {
    // The root copies its own part of a gather or scatter without NCCL.
    boolean hasRoot = operation == PeerOperation.GATHER || operation == PeerOperation.SCATTER;
    List<List<ReplayPart>> partsByRank = new ArrayList<>();
    for (int rank = 0; rank < bytes.length; rank++) {
      List<ReplayPart> parts = new ArrayList<>();
      long sent = 0;
      long received = 0;
      for (int peer = 0; peer < bytes.length; peer++) {
        long to = bytes[rank][peer];
        long from = bytes[peer][rank];
        boolean isNccl = peer != rank || !hasRoot;
        if (to > 0 && isNccl) {
          parts.add(transfer(Function.SEND, to, peer, sent));
        }
        if (from > 0 && isNccl) {
          parts.add(transfer(Function.RECEIVE, from, peer, received));
        }
        sent += to;
        received += from;
      }
      partsByRank.add(parts);
    }
    return partsByRank;
  }

  private static ReplayPart transfer(Function function, long bytes, int peer, long offsetBytes) {
    return new ReplayPart(function, bytes, DataType.INT8, ReductionOperator.SUM, peer, offsetBytes);
  }
}
