package dev.topo.run.bench;

import dev.topo.model.operation.DataType;
import dev.topo.run.call.RunCollective;

/**
 * A size of the sweep.
 *
 * @param collective which
 * @param sizeBytes the larger of what a rank sends and receives
 * @param count the number of elements that the call was given
 * @param type their type
 * @param operator the reduction operator, or {@code none}
 * @param root the root, or -1
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
