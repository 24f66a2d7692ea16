package dev.topo.probe.doctor;

import java.util.OptionalLong;

/**
 * The limits of Linux and of a container on resources that NCCL uses.
 *
 * @param kernel release of the kernel; empty if not known
 * @param sharedMemoryBytes size of {@code /dev/shm}, if it is limited by a number
 * @param lockedMemory most memory a process may lock: {@code unlimited} or a number of bytes; empty
 *     if not known
 * @param iommu whether an IOMMU is enabled
 * @param iommuOption the option {@code iommu=} of the kernel's command line; empty if there is none
 */
public record HostFacts(
    String kernel,
    OptionalLong sharedMemoryBytes,
    String lockedMemory,
    boolean iommu,
    String iommuOption) {}
