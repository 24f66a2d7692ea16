package dev.topo.run.call;

/**
 * The elements that a rank sends and receives in one call.
 *
 * @param count the number that the call is given
 * @param sendInPlaceOffset offset of rank r's data in the shared buffer, divided by r
 * @param receiveInPlaceOffset where its result begins, divided by r
 */
public record Extent(
    long sendCount,
    long receiveCount,
    long count,
    long sendInPlaceOffset,
    long receiveInPlaceOffset) {}
