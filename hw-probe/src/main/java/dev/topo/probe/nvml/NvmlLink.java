package dev.topo.probe.nvml;

import java.util.Optional;

/**
 * An NVLink of a GPU.
 *
 * @param peerToPeer whether it carries traffic between GPUs
 * @param remote bus id of its other end as NVML writes it; a number that no device has where a
 *     virtual machine hides an NVSwitch
 */
public record NvmlLink(int number, boolean peerToPeer, boolean active, Optional<String> remote) {}
