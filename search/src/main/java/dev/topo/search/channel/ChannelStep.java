package dev.topo.search.channel;

/**
 * A step on the way to the number of channels of a communicator.
 *
 * @param channels the number after it
 * @param reason why it is that
 */
public record ChannelStep(int channels, String reason) {}
