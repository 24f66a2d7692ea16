package dev.topo.hw.library;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.hw.fixture.MachineFolder;
import dev.topo.hw.sysfs.FileTree;
import dev.topo.model.io.Inputs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What counts where the environment and files say different things. */
class SettingSourcesTest {
  @TempDir private Path folder;

  private SettingSources read(Map<String, String> environment) {
    return SettingSources.read(new FileTree(folder, new Inputs()), environment, "/home/me");
  }

  private static List<String> lines(SettingSources sources) {
    return sources.settings().stream()
        .map(found -> found.name() + "=" + found.value() + " " + found.origin())
        .toList();
  }

  private static List<String> problems(SettingSources sources) {
    return sources.problems("2.28.9").stream().map(Finding::code).toList();
  }

  @Test
  void theEnvironmentWinsThenTheUserThenTheSystem() {
    new MachineFolder(folder)
        .text("/home/me/.nccl.conf", "NCCL_ALGO=Tree\nNCCL_PROTO=LL\nNCCL_PROTO=Simple\n")
        .text("/etc/nccl.conf", "NCCL_ALGO=Ring\nNCCL_NTHREADS=256\nNCCL_DEBUG=INFO\n");
    SettingSources sources = read(Map.of("NCCL_DEBUG", "WARN", "PATH", "/bin"));
    assertEquals(
        List.of(
            "NCCL_ALGO=Tree /home/me/.nccl.conf:1",
            "NCCL_DEBUG=WARN environment",
            "NCCL_NTHREADS=256 /etc/nccl.conf:2",
            "NCCL_PROTO=LL /home/me/.nccl.conf:2"),
        lines(sources));
    assertEquals(List.of("/etc/nccl.conf:1"), sources.settings().get(0).overridden());
    assertEquals("256", sources.forModel().text("NCCL_NTHREADS").orElseThrow());
    assertEquals("/bin", sources.effective().get("PATH"));
  }

  @Test
  void aNamedFileStandsInPlaceOfTheUsers() {
    new MachineFolder(folder)
        .text("/home/me/.nccl.conf", "NCCL_ALGO=Tree\n")
        .text("/job.conf", "NCCL_PROTO=LL\n");
    assertEquals(
        List.of("NCCL_CONF_FILE=/job.conf environment", "NCCL_PROTO=LL /job.conf:1"),
        lines(read(Map.of("NCCL_CONF_FILE", "/job.conf"))));
    assertEquals(
        List.of("NCCL_ALGO=Tree /home/me/.nccl.conf:1", "NCCL_CONF_FILE= environment"),
        lines(read(Map.of("NCCL_CONF_FILE", ""))));
  }

  @Test
  void anEmptyVariableIsSetAndWins() {
    new MachineFolder(folder).text("/etc/nccl.conf", "NCCL_NTHREADS=256\n");
    SettingSources sources = read(Map.of("NCCL_NTHREADS", ""));
    assertEquals(List.of("NCCL_NTHREADS= environment"), lines(sources));
    assertEquals(List.of("overridden"), problems(sources));
  }

  @Test
  void nothingIsTakenOffNamesAndValues() {
    new MachineFolder(folder)
        .text(
            "/etc/nccl.conf",
            "# a comment\n\n  # none\nexport NCCL_DEBUG=INFO\nNCCL_IB_HCA = mlx5_0\n"
                + "NCCL_SOCKET_IFNAME=\"eth0\"\nNCCL_PROTO=LL\r\n");
    SettingSources sources = read(Map.of());
    assertEquals(
        List.of("conf-line", "conf-name", "conf-line-end", "quotes", "conf-name").stream()
            .sorted()
            .toList(),
        problems(sources).stream().sorted().toList());
    assertEquals(List.of(3), sources.files().get(0).passedOver());
  }

  @Test
  void namesAndValuesThatNcclDoesNotUnderstandAreNamed() {
    SettingSources sources =
        read(
            Map.of(
                "NCCL_IB_DISABEL", "1",
                "NCCL_IB_HCA", "mlx5_0",
                "NCCL_NTHREADS", "many",
                "NCCL_NET_GDR_READ", "true",
                "NCCL_IB_DISABLE", "False",
                "NCCL_BLOCKING_WAIT", "1",
                "NCCL_VERSION", "2.28.9",
                "NCCL_P2P_LEVEL", "NEAR"));
    assertEquals(
        List.of(
            "setting-of-pytorch",
            "unknown-setting",
            "word",
            "word",
            "value",
            "value",
            "setting-of-builds"),
        problems(sources));
    assertEquals("did you mean NCCL_IB_DISABLE?", sources.problems("2.28.9").get(1).advice());
    assertEquals(
        List.of("NCCL_IB_DISABLE", "NCCL_IB_HCA"),
        sources.forModel().values().keySet().stream().sorted().toList());
  }

  /** A blank behind the equals sign leaves the variable empty, and no file appears. */
  @Test
  void anEmptyNameOfADumpIsNamed() {
    assertEquals(List.of("dump-file-empty"), problems(read(Map.of("NCCL_TOPO_DUMP_FILE", ""))));
    assertEquals(List.of(), problems(read(Map.of("NCCL_TOPO_DUMP_FILE", "/tmp/system.xml"))));
  }

  @Test
  void valuesWithWhichCallsHangAreFound() {
    assertEquals(List.of("harmful"), problems(read(Map.of("NCCL_LL128_BUFFSIZE", "131072"))));
    assertEquals(List.of("harmful"), problems(read(Map.of("NCCL_CHUNK_SIZE", "1048576"))));
    assertEquals(List.of(), problems(read(Map.of("NCCL_LL128_BUFFSIZE", "122880"))));
  }
}
