package dev.topo.probe.sysfs.network;

/** A family of addresses that NCCL's sockets use. */
public enum AddressFamily {
  /** IPv4. */
  INET,
  /** IPv6. */
  INET6
}
