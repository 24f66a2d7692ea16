package dev.topo.probe.sysfs.network;

/**
 * A port of an InfiniBand device.
 *
 * @param number the port, from 1
 * @param active whether it is up
 * @param linkLayer what runs on it
 * @param speedMbps its speed as NCCL counts it; 0 if not known
 */
public record InfinibandPort(int number, boolean active, LinkLayer linkLayer, int speedMbps) {}
