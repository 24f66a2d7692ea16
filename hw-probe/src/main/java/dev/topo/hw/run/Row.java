package dev.topo.hw.run;

import dev.topo.model.operation.Call.CollectiveCall.DataType;

/**
 * Measured size of a sweep.
 *
 * @param sizeBytes larger of the sent and received bytes of a rank
 * @param count number of elements passed to NCCL
 * @param operator reduction operator, or {@code none}
 * @param turn variant and round of a comparison
 */
public record Row(
    RunCollective collective,
    long sizeBytes,
    long count,
    DataType type,
    String operator,
    int root,
    CallResult outOfPlace,
    CallResult inPlace,
    Turn turn) {}
