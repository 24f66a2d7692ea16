package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pictures of the documents are those of this build. {@code -Dgolden.update=true} makes all of
 * them anew: drawings and charts by the command above each, the page of {@code topo serve} in the
 * browser of the host.
 */
@Tag("slow")
class PicturesTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path DOCS = ROOT.resolve("docs");
  private static final boolean IS_UPDATE = Boolean.getBoolean("golden.update");

  /** A command that writes a picture, and the picture below it. */
  private static final Pattern MADE =
      Pattern.compile(
          "`\\s*\\./(topo (?:draw|chart) [^`]*?) -o \\S+\\.svg\\s*`+\\s+"
              + "!\\[[^]]*]\\(([^)]+\\.svg)\\)");

  private static final Pattern TEXT = Pattern.compile(">([^<>]+)</text>");

  /** Fonts and versions of the browser change the edges of letters, another layout more. */
  private static final double MAX_CHANGED = 0.06;

  /** A difference of a colour, of 255, that is seen. */
  private static final int VISIBLE = 48;

  @TempDir private Path folder;

  /** A picture of the page of {@code topo serve}. */
  private enum Shot {
    NIC("serve-nic.png", "&machine=shipped-dgx-h100&nodes=4&edit=remove+net:mlx5_3&graph=ring"),
    RACK(
        "serve-rack.png",
        "&machine=shipped-gb200-tray&nodes=18&domain=18&edit=remove+gpu:3-0&collective=alltoall"),
    MENU("serve-menu.png", "&machine=shipped-dgx-1v&nodes=2&edit=remove+nvlink:0-1&graph=tree");

    private final String file;
    private final String question;

    Shot(String file, String question) {
      this.file = file;
      this.question = question;
    }

    private byte[] take(Chromium page, ServedPage server) {
      page.resize(1280, 800);
      if (this == MENU) {
        page.darken();
      }
      page.open(server.address() + question);
      page.await("document.body.dataset.state === 'answered'");
      if (this == MENU) {
        page.clickAt(page.one("[data-part='net:mlx5_1']"));
      }
      // It says how long the answer took.
      page.value("document.getElementById('status').textContent = ''");
      page.await("document.getAnimations().length === 0");
      return page.picture();
    }
  }

  @Test
  void drawingsAndChartsAreThoseOfTheirCommands() throws IOException {
    Set<String> made = new TreeSet<>();
    List<String> old = new ArrayList<>();
    try (Stream<Path> documents = Files.list(DOCS)) {
      for (Path document :
          documents.filter(file -> file.toString().endsWith(".md")).sorted().toList()) {
        for (MatchResult found : MADE.matcher(Files.readString(document)).results().toList()) {
          String file = found.group(2);
          made.add(file);
          Path drawn = folder.resolve(file);
          List<String> words =
              CliRun.words(found.group(1).replaceAll("\\\\\n", " ")).stream()
                  .skip(1)
                  .map(word -> word.replaceFirst("^(topologies|src)/", ROOT + "/$1/"))
                  .toList();
          CliRun.of(
              Stream.concat(words.stream(), Stream.of("-o", drawn.toString()))
                  .toArray(String[]::new));
          if (IS_UPDATE) {
            Files.copy(drawn, DOCS.resolve(file), StandardCopyOption.REPLACE_EXISTING);
          } else if (!shown(drawn).equals(shown(DOCS.resolve(file)))) {
            old.add(file);
          }
        }
      }
    }
    assertEquals(List.of(), old, "older than the code: -Dgolden.update=true makes them anew");
    try (Stream<Path> files = Files.list(DOCS)) {
      assertEquals(
          List.copyOf(made),
          files
              .map(file -> DOCS.relativize(file).toString())
              .filter(file -> file.endsWith(".svg"))
              .sorted()
              .toList(),
          "every picture has its command above it");
    }
  }

  /** A drawing; of a chart its texts, as the rest depends on the fonts of the host. */
  private static Object shown(Path file) throws IOException {
    String svg = Files.readString(file);
    return svg.contains("Batik")
        ? TEXT.matcher(svg).results().map(text -> text.group(1)).toList()
        : svg;
  }

  @Test
  void picturesOfThePageAreThoseOfThisBuild() throws IOException {
    Files.createDirectory(folder.resolve("profile"));
    try (Chromium page = Chromium.start(folder.resolve("profile"));
        ServedPage server = new ServedPage()) {
      for (Shot shot : Shot.values()) {
        byte[] taken = shot.take(page, server);
        Path file = DOCS.resolve(shot.file);
        if (IS_UPDATE) {
          Files.write(file, taken);
        }
        double changed =
            changed(ImageIO.read(new ByteArrayInputStream(taken)), ImageIO.read(file.toFile()));
        assertTrue(
            changed <= MAX_CHANGED,
            "%s: %.0f %% differ; -Dgolden.update=true makes it anew"
                .formatted(shot.file, 100 * changed));
      }
    }
  }

  /** The part of the pixels that differ visibly; all if the sizes differ. */
  private static double changed(BufferedImage a, BufferedImage b) {
    if (a.getWidth() != b.getWidth() || a.getHeight() != b.getHeight()) {
      return 1;
    }
    int changed = 0;
    for (int y = 0; y < a.getHeight(); y++) {
      for (int x = 0; x < a.getWidth(); x++) {
        changed += differs(a.getRGB(x, y), b.getRGB(x, y)) ? 1 : 0;
      }
    }
    return (double) changed / a.getWidth() / a.getHeight();
  }

  private static boolean differs(int a, int b) {
    return Stream.of(0, 8, 16).anyMatch(s -> Math.abs((a >> s & 255) - (b >> s & 255)) > VISIBLE);
  }
}
