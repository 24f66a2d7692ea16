package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.visualizer.drawing.SvgPicture;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code topo draw} writes and how it fails. */
class DrawCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String DGX_H100 = ROOT.resolve("topologies/dgx-h100.xml").toString();
  private static final String DGX_1V = ROOT.resolve("topologies/dgx-1v.xml").toString();

  @TempDir private Path folder;

  private static String done(String... args) {
    CliRun run = CliRun.of(args);
    assertEquals("", run.err());
    assertEquals(ExitStatus.DONE, run.status());
    return run.out();
  }

  private static void refused(String message, String... args) {
    CliRun run = CliRun.of(args);
    assertEquals("topo: " + message + "\n", run.err());
    assertEquals(ExitStatus.USAGE, run.status());
    assertEquals("", run.out());
  }

  private static String[] rack(String... more) {
    String tray = ROOT.resolve("topologies/gb200-tray.xml").toString();
    return Stream.concat(
            Stream.of("draw", tray, "--nodes", "18", "--nvlink-domain", "18"), Stream.of(more))
        .toArray(String[]::new);
  }

  @Test
  void thePictureOfARackHasTheOrderOfItsRings() {
    SvgPicture picture = new SvgPicture(done(rack("--pattern", "ring")));
    assertEquals(List.of(), picture.faults());
    assertTrue(picture.says("18 equal hosts: 0-17"));
    assertTrue(picture.says("ring, channels 0-15"));
    assertTrue(picture.says("host 17"));
  }

  @Test
  void equalHostsAreDrawnOnceUnlessUnfolded() {
    String folded = done(rack());
    assertTrue(folded.contains("18 equal hosts: 0-17"), folded);
    assertFalse(folded.contains("rank 71"), folded);
    String all = done(rack("--unfold"));
    assertFalse(all.contains("equal hosts: "), all);
    assertTrue(all.contains("rank 71"), all);
  }

  @Test
  void oneChannelOfSeveralRacksHasItsOrderOnly() {
    String tray = ROOT.resolve("topologies/gb200-tray.xml").toString();
    String one =
        done(
            "draw",
            tray,
            "--nodes",
            "36",
            "--nvlink-domain",
            "18",
            "--on-node",
            "1",
            "--pattern",
            "ring",
            "--channel",
            "5");
    SvgPicture picture = new SvgPicture(one);
    assertEquals(List.of(), picture.faults());
    assertTrue(picture.says("ring, channel 5"));
    assertTrue(picture.says("14 hosts that the channel uses alike: 4-17"));
    assertFalse(picture.says("ring, channel 6"));
  }

  @Test
  void aPictureIsSmallAndSaysWhatItShows() {
    String svg = done("draw", DGX_H100);
    assertTrue(svg.length() < 60_000, svg.length() + " bytes");
    SvgPicture picture = new SvgPicture(svg);
    for (String text : List.of("dgx-h100", "GPU 0", "GPU 7", "mlx5_7 · 50", "NVSwitch", "370.8")) {
      assertTrue(picture.says(text), text);
    }
  }

  @Test
  void aRouteHasOrderAndFullLinks() {
    SvgPicture ring = new SvgPicture(done("draw", DGX_1V, "--channel", "0"));
    assertTrue(ring.says("ring, channel 0 of 0 to 5: RING, 20 GB/s a channel"));
    assertTrue(ring.says("GPU 0 → GPU 3 → GPU 2 → GPU 1 → GPU 5 → GPU 6 → GPU 7 → GPU 4 → GPU 0"));
    assertTrue(ring.says("40 of 40"));
    assertTrue(ring.says("8 of 8"));
    SvgPicture tree =
        new SvgPicture(
            done("draw", DGX_H100, "--nodes", "4", "--on-node", "1", "--pattern", "tree"));
    assertTrue(tree.says("dgx-h100 x 4, node 1"));
    assertTrue(tree.says("48 of 48"));
    SvgPicture nvls = new SvgPicture(done("draw", DGX_H100, "--pattern", "nvls", "--channel", "3"));
    assertTrue(nvls.says("head"));
  }

  @Test
  void ranksAreNamedWhereTheyAreNotDeviceNumbers() {
    SvgPicture picture = new SvgPicture(done("draw", DGX_1V, "--gpus", "4,5"));
    assertTrue(picture.says("GPU 4 · rank 0"));
  }

  @Test
  void severalNodesAreDrawnWithRingsAndBothTrees() {
    SvgPicture picture = new SvgPicture(done("draw", DGX_H100, "--nodes", "4"));
    assertTrue(picture.says("ring, channels 0-15 (ranks and ports: channel 0)"));
    assertTrue(picture.says("tree, channels 0-7 (ranks and ports: channel 0)"));
    assertTrue(picture.says("tree, channels 8-15 (ranks and ports: channel 8)"));
    SvgPicture one =
        new SvgPicture(
            done("draw", DGX_H100, "--nodes", "4", "--pattern", "tree", "--channel", "9"));
    assertTrue(one.says("tree, channel 9"));
    SvgPicture terse = new SvgPicture(done("draw", DGX_H100, "--nodes", "17"));
    assertTrue(terse.says("ring, channels 0-15"));
  }

  @Test
  void nvlsTreesOfTheFirstHeadAreDrawnBetweenNodes() {
    SvgPicture nvls = new SvgPicture(done("draw", DGX_H100, "--nodes", "4", "--pattern", "nvls"));
    assertTrue(nvls.says("NVLS tree of head 0, channels 0,2,4,6,8,10,12,14 (ranks: channel 0)"));
  }

  @Test
  void nicsOfPeersAreAMatrix() {
    SvgPicture picture =
        new SvgPicture(done("draw", DGX_H100, "--nodes", "400", "--pattern", "p2p"));
    assertTrue(picture.says("nodes 0-399, channels 0-15 of sends and receives"));
    assertTrue(picture.says("local rank 7"));
    assertTrue(picture.says("via GPU 0"));
  }

  @Test
  void inNetworkReductionIsDrawnForANode() {
    String sharp = DGX_H100.replace("dgx-h100", "hgx-h100-sharp");
    for (String pattern : List.of("collnet-direct", "collnet-chain")) {
      SvgPicture picture =
          new SvgPicture(
              done(
                  "draw",
                  sharp,
                  "--nodes",
                  "4",
                  "--env",
                  "NCCL_COLLNET_ENABLE=1",
                  "--pattern",
                  pattern));
      assertTrue(picture.says("network (SHARP)"), pattern);
      assertTrue(picture.says("mlx5_7"), pattern);
    }
  }

  @Test
  void theFileNameDecidesTheFormat() throws IOException {
    done("draw", DGX_H100, "-o", folder.resolve("x.svg").toString());
    assertTrue(Files.readString(folder.resolve("x.svg")).startsWith("<svg "));
    Path dot = folder.resolve("x.dot");
    refused(
        "-o " + dot + ": ends in .dot, expected .svg or .png",
        "draw",
        DGX_H100,
        "-o",
        dot.toString());
  }

  @Test
  void pngIsTheSameEveryTime() throws IOException {
    Fonts.assumeThere();
    Path png = folder.resolve("x.PNG");
    done("draw", DGX_H100, "-o", png.toString());
    BufferedImage image = ImageIO.read(png.toFile());
    assertTrue(image.getWidth() > 2000 && image.getHeight() > 500, image.toString());
    Path again = folder.resolve("y.png");
    done("draw", DGX_H100, "--format", "png", "-o", again.toString());
    assertArrayEquals(Files.readAllBytes(png), Files.readAllBytes(again));
    done("draw", DGX_H100, DGX_1V, "--format", "png", "--out-dir", folder.toString());
    assertTrue(Files.exists(folder.resolve("dgx-1v.png")));
  }

  @Test
  void whatCannotBeDrawnIsRefusedInOneLine() {
    refused("--channel: expected a number from 0 to 5", "draw", DGX_1V, "--channel", "6");
    CliRun none = CliRun.of("draw", DGX_1V, "--pattern", "nvls");
    assertEquals("topo: --pattern nvls: NCCL finds no channels of it here\n", none.err());
    assertEquals(ExitStatus.NO, none.status());
    refused(
        "--pattern star: expected one of ring, tree, collnet-direct, collnet-chain, nvls or p2p",
        "draw",
        DGX_1V,
        "--pattern",
        "star");
    refused(
        "--on-node: expected a number from 0 to 1",
        "draw",
        DGX_1V,
        "--nodes",
        "2",
        "--on-node",
        "2");
    CliRun volta = CliRun.of("draw", DGX_1V, "--nodes", "2", "--pattern", "nvls");
    assertEquals(
        "topo: --pattern nvls: no NVLS: NVLS needs an NVSwitch, each node here has none\n",
        volta.err());
    assertEquals(ExitStatus.NO, volta.status());
    refused(
        "--pattern p2p: expected a job of several nodes, as with --nodes 2, without --on-node",
        "draw",
        DGX_1V,
        "--pattern",
        "p2p");
    refused("300 nodes: expected at most 256 for a picture", "draw", DGX_1V, "--nodes", "300");
    refused(
        "--channel: expected a number from 0 to 7",
        "draw",
        DGX_1V,
        "--nodes",
        "2",
        "--channel",
        "99");
  }
}
