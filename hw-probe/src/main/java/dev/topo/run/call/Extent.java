package dev.topo.run.call;

/**
 * How much a rank sends and receives in one call, in elements.
 *
 * @param sendCount what the send buffer holds
 * @param receiveCount what the receive buffer holds
 * @param count the number that the call is given
 * @param sendInPlaceOffset where, in the buffer that serves for both, rank r's data begin, divided
 *     by r
 * @param receiveInPlaceOffset where its result begins, divided by r
 */
public record Extent(
    long sendCount,
    long receiveCount,
    long count,
    long sendInPlaceOffset,
    long receiveInPlaceOffset) {}
