package dev.topo.visualizer.structure;

import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.Connection;
import dev.topo.search.explain.CollNetAbsence;
import dev.topo.search.explain.NvlsAbsence;
import java.util.Optional;

/**
 * Explains why a job lacks a part of the connection.
 *
 * @param connection the connected job
 * @param settings the settings of the job
 */
public record AbsenceReason(Connection connection, NcclSettings settings) {
  /** Returns the reason as part of a sentence; empty if the job has the part. */
  public Optional<String> of(ConnectPart part) {
    if (part.isIn(connection)) {
      return Optional.empty();
    }
    return Optional.of(
        switch (part) {
          case NVLS -> "no NVLS: " + NvlsAbsence.reason(connection, settings);
          case COLLNET -> "no CollNet: " + CollNetAbsence.reason(connection, settings);
          case P2P -> "no sends and receives: the job has one rank";
          case NICS ->
              connection.nNodes() == 1
                  ? "no transfers between nodes: the job is one node"
                  : "no NIC of transfers: a node has no network port, and which NCCL finds at run time is not known";
          case RINGS_TREES -> throw new IllegalStateException("every job has rings");
        });
  }
}
