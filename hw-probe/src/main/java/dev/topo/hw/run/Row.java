package dev.topo.hw.run;

import dev.topo.model.operation.Call.CollectiveCall.DataType;

/**
 * Measurement of one size of a sweep.
 *
 * @param sizeBytes the larger of the sent and the received bytes of a rank
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
