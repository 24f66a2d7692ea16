package dev.topo.hw.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.fixture.ElfFile;
import dev.topo.hw.fixture.MachineFolder;
import dev.topo.hw.fixture.MachineText;
import dev.topo.hw.library.Finding;
import dev.topo.hw.library.NcclLibrary;
import dev.topo.model.io.Inputs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong on machines made for it. */
class DoctorTest {
  private static final String LIMITS =
      "Limit  Soft Limit  Hard Limit  Units\nMax locked memory  %s  %s  bytes\n";

  @TempDir private Path folder;
  private MachineFolder machine = new MachineFolder(Path.of("/nowhere"));

  @BeforeEach
  void make() {
    machine =
        new MachineFolder(MachineText.expand("bare-metal-switched", folder))
            .elf("/lib64/ld-linux-x86-64.so.2", ElfFile.library("ld-linux-x86-64.so.2"))
            .elf("/usr/lib/libcuda.so.1", ElfFile.library("libcuda.so.1"))
            .elf("/usr/lib/libnccl.so.2", ElfFile.nccl("2.28.9+cuda13.0"))
            .elf("/app/run", ElfFile.program().needs("libnccl.so.2"));
  }

  private DoctorReport report(Map<String, String> environment) {
    return Doctor.ofFolder(folder, new Inputs())
        .examine(new DoctorRequest(environment, "/root", List.of("/app/run"), List.of(), "2.28.9"));
  }

  private List<String> codes(Map<String, String> environment) {
    return report(environment).findings().stream()
        .map(finding -> finding.severity().label() + " " + finding.code())
        .toList();
  }

  @Test
  void aSoundMachineHasNoFinding() {
    assertEquals(List.of(), codes(Map.of()));
    DoctorReport report = report(Map.of());
    assertEquals("580.95.05", report.driver().version());
    assertEquals("13.0", DriverFacts.cudaText(report.driver().cuda().value().orElseThrow()));
    Hardware hardware = report.hardware().orElseThrow();
    assertEquals("IB", hardware.network());
    assertEquals(4, hardware.gpus().size());
    assertEquals(new GpuUse(2, "0000:9d:00.0", "", 90, "1", true), hardware.gpus().get(2));
    assertEquals(new NicUse("mlx5_1", 1, 400_000, "0", true), hardware.nics().get(0));
  }

  @Test
  void aDriverForAnOlderCudaIsAnError() {
    machine.elf("/usr/lib/libnccl.so.2", ElfFile.nccl("2.28.9+cuda14.1"));
    assertEquals(List.of("error driver-too-old"), codes(Map.of()));
  }

  @Test
  void anNcclWithoutAFunctionThatIsNeededIsAnError() {
    machine.elf(
        "/app/run", ElfFile.program().needs("libnccl.so.2").expects("ncclCommWindowRegister"));
    assertEquals(List.of("error nccl-too-old"), codes(Map.of()));
  }

  @Test
  void anNcclThatIsNotFoundOrDamagedIsAnError() {
    machine.text("/usr/lib/libnccl.so.2", "INPUT(-lnccl)");
    assertEquals(List.of("error nccl-not-found"), codes(Map.of()));
    machine.elf("/app/run", ElfFile.program());
    assertEquals(List.of("note nccl-not-there"), codes(Map.of()));
  }

  @Test
  void noNetworkAndNoGraphFileAreErrorsAMissingTopologyFileIsNone() {
    assertEquals(List.of("error no-network"), codes(Map.of("NCCL_SOCKET_IFNAME", "eth7")));
    assertEquals(List.of("error no-graph-file"), codes(Map.of("NCCL_GRAPH_FILE", "/none.xml")));
    assertEquals(List.of("warning no-topology-file"), codes(Map.of("NCCL_TOPO_FILE", "/none.xml")));
  }

  @Test
  void anOlderLibraryInTheEnvironmentIsNamed() {
    machine.elf("/old/libnccl.so.2", ElfFile.nccl("2.21.5+cuda12.4"));
    assertEquals(
        List.of("warning shadowed", "note other-version", "note several-versions"),
        codes(Map.of("LD_LIBRARY_PATH", "/old")));
  }

  @Test
  void whatOnlyTheListOfFoldersOfAProgramLeadsToIsListed() {
    machine
        .elf("/app/run", ElfFile.program().runpath("$ORIGIN/lib").needs("libnccl.so.2"))
        .elf("/app/lib/libnccl.so.2", ElfFile.nccl("2.28.9+cuda13.0"))
        .elf("/env/libnccl.so.2", ElfFile.nccl("2.28.9+cuda12.9"));
    assertEquals(
        List.of("/env/libnccl.so.2", "/usr/lib/libnccl.so.2", "/app/lib/libnccl.so.2"),
        report(Map.of("LD_LIBRARY_PATH", "/env")).libraries().stream()
            .map(NcclLibrary::path)
            .toList());
  }

  @Test
  void aNameThatIsTheBeginningOfOthersIsNamed() {
    assertEquals(List.of("warning prefix"), codes(Map.of("NCCL_IB_HCA", "mlx5_1")));
    assertEquals(List.of(), codes(Map.of("NCCL_IB_HCA", "=mlx5_1")));
    assertEquals(List.of(), codes(Map.of("NCCL_IB_HCA", "mlx5")));
  }

  @Test
  void aLibraryThatLdconfigHasNotSeenIsNamed() {
    machine
        .text("/etc/ld.so.conf", "include /etc/ld.so.conf.d/*.conf\n")
        .text("/etc/ld.so.conf.d/nccl.conf", "/opt/nccl/lib # ours\n")
        .elf("/opt/nccl/lib/libnccl.so.2", ElfFile.nccl("2.28.9+cuda13.0"));
    assertEquals(List.of("note not-in-cache"), codes(Map.of()));
    machine.cached("/opt/nccl/lib/libnccl.so.2");
    assertEquals(List.of(), codes(Map.of()));
  }

  @Test
  void whatAContainerGrantsIsLookedAt() {
    machine
        .text("/proc/self/limits", LIMITS.formatted("8388608", "8388608"))
        .text("/proc/cmdline", "BOOT_IMAGE=/vmlinuz intel_iommu=on\n")
        .directory("/sys/class/iommu/dmar0")
        .text(
            "/proc/self/mountinfo",
            "30 25 0:27 / /dev/shm rw,nosuid - tmpfs shm rw,size=65536k,inode64\n");
    assertEquals(
        List.of("warning small-shared-memory", "warning locked-memory", "note iommu"),
        codes(Map.of()));
    assertEquals(
        List.of("warning locked-memory", "note iommu"),
        codes(Map.of("CUDA_VISIBLE_DEVICES", "1")),
        "one GPU shares no memory");
    assertEquals(OptionalLong.of(64 << 20), report(Map.of()).host().sharedMemoryBytes());
    machine
        .text("/proc/self/limits", LIMITS.formatted("unlimited", "unlimited"))
        .text("/proc/self/mountinfo", "30 25 0:27 / /dev/shm rw - tmpfs shm rw,size=16g\n")
        .text("/proc/cmdline", "intel_iommu=on iommu=pt\n");
    assertEquals(List.of(), codes(Map.of()));
  }

  @Test
  void aDriverThatTheKernelDoesNotShowIsAsked() {
    machine.text("/sys/module/nvidia/version", "");
    assertEquals("580.95.05", report(Map.of()).driver().version());
    assertEquals(List.of(), codes(Map.of()));
    machine.text("/nvml.txt", "driver 570.1\ncuda 12080\n");
    assertEquals("570.1", report(Map.of()).driver().version());
  }

  @Test
  void theOpenKernelModuleSaysSo() {
    machine.text(
        "/proc/driver/nvidia/version",
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build\n");
    assertEquals("open", report(Map.of()).driver().flavour());
    machine.text(
        "/proc/driver/nvidia/version",
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue Sep 23\n");
    assertEquals("proprietary", report(Map.of()).driver().flavour());
  }

  @Test
  void anImageWithoutSysHasNoHardware(@TempDir Path image) {
    new MachineFolder(image).elf("/app/run", ElfFile.program().needs("libnccl.so.2"));
    DoctorReport report =
        Doctor.ofFolder(image, new Inputs())
            .examine(
                new DoctorRequest(Map.of(), "/root", List.of("/app/run"), List.of(), "2.28.9"));
    assertTrue(report.hardware().isEmpty());
    assertEquals(List.of("nccl-not-found"), report.findings().stream().map(Finding::code).toList());
  }
}
