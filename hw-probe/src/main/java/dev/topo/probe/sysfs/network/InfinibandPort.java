package dev.topo.probe.sysfs.network;

/**
 * A port of an InfiniBand device.
 *
 * @param speedMbps its speed as NCCL counts it; 0 if not known
 */
public record InfinibandPort(int number, boolean active, LinkLayer linkLayer, int speedMbps) {}
