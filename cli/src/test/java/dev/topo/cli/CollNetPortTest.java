package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A head of CollNet sends to each other GPU a part, and NCCL cuts the hops of parts to whole
 * numbers, back and forth: which port ends a channel depends on where the count began.
 */
class CollNetPortTest {
  @TempDir private Path folder;

  private static String pci(int bus, String pciClass, String content) {
    return String.format(
        "<pci busid=\"0000:%02x:00.0\" class=\"%s\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\">%s</pci>",
        bus, pciClass, content);
  }

  /** Two sockets with two GPUs behind a switch and two ports of one card each. */
  private static String machine() {
    StringBuilder text = new StringBuilder("<system version=\"1\">\n");
    for (int cpu = 0; cpu < 2; cpu++) {
      int bus = 0x10 + 0x20 * cpu;
      StringBuilder gpus = new StringBuilder();
      StringBuilder ports = new StringBuilder();
      for (int i = 0; i < 2; i++) {
        int dev = 2 * cpu + i;
        gpus.append(
            pci(
                bus + 1 + i,
                "0x030200",
                String.format("<gpu dev=\"%d\" sm=\"90\" rank=\"%d\" gdr=\"1\"/>", dev, dev)));
        ports.append(
            pci(
                bus + 0x10 + i,
                "0x020000",
                String.format(
                    "<nic><net name=\"mlx5_%d\" dev=\"%d\" speed=\"25000\" port=\"1\" guid=\"0x1\" gdr=\"1\" coll=\"1\"/></nic>",
                    dev, dev)));
      }
      text.append("<cpu numaid=\"").append(cpu);
      text.append("\" arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"143\">");
      text.append(pci(bus, "0x060400", gpus.toString())).append(ports).append("</cpu>\n");
    }
    return text.append("</system>\n").toString();
  }

  /** As the native code of NCCL 2.28.9 answers. */
  @Test
  void aChannelEndsAtThePortThatNcclTakes() throws IOException {
    Path file = Files.writeString(folder.resolve("machine.xml"), machine());
    CliRun run =
        CliRun.of(
            "search",
            file.toString(),
            "--nodes",
            "2",
            "--env",
            "NCCL_COLLNET_ENABLE=1",
            "--format",
            "xml");
    assertEquals(0, run.status(), run.err());
    String direct =
        run.out().replaceFirst("(?s).*<graph id=\"4\"", "").replaceFirst("(?s)</graph>.*", "");
    assertTrue(direct.contains("typeintra=\"PIX\" typeinter=\"PHB\""), direct);
    assertEquals(
        List.of("<net dev=\"0\"/>", "<net dev=\"0x1\"/>"),
        direct.lines().filter(line -> line.contains("<net ")).map(String::strip).toList());
  }
}
