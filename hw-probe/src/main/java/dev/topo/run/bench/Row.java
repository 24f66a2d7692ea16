package dev.topo.run.bench;

import dev.topo.model.operation.DataType;
import dev.topo.run.call.RunCollective;

/**
 * A size of the sweep.
 *
 * @param sizeBytes the larger of what a rank sends and receives
 * @param count the number of elements that the call was given
 * @param operator the reduction operator, or {@code none}
 * @param outOfPlace with two buffers
 * @param inPlace with one
 */
public record Row(
    RunCollective collective,
    long sizeBytes,
    long count,
    DataType type,
    String operator,
    int root,
    CallResult outOfPlace,
    CallResult inPlace) {}
