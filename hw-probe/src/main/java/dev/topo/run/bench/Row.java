package dev.topo.run.bench;

import dev.topo.model.collective.DataType;

/**
 * A size of the sweep.
 *
 * @param sizeBytes the larger of what a rank sends and receives
 * @param count the number of elements that the call was given
 * @param type their type
 * @param operator the reduction operator, or {@code none}
 * @param root the root, or -1
 * @param outOfPlace with two buffers
 * @param inPlace with one
 */
public record Row(
    long sizeBytes,
    long count,
    DataType type,
    String operator,
    int root,
    Measurement outOfPlace,
    Measurement inPlace) {}
