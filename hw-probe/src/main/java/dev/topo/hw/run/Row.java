package dev.topo.hw.run;

import dev.topo.model.operation.Call.CollectiveCall.DataType;

/**
 * A size of the sweep.
 *
 * @param sizeBytes the larger of the sent and the received bytes of a rank
 * @param count the number of elements passed to NCCL
 * @param operator the reduction operator, or {@code none}
 * @param turn the variant and the round, in a comparison
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
