package dev.topo.probe.sysfs.network;

/**
 * A port of an InfiniBand device.
 *
 * @param speedMbps its speed in NCCL's units; 0 if not known
 */
public record InfinibandPort(int number, boolean active, LinkLayer linkLayer, int speedMbps) {}
