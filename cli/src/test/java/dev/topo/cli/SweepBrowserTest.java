package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a browser makes of the page about a sweep. */
@Tag("slow")
class SweepBrowserTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final int PHONE = 390;

  @TempDir private static Path folder;
  private static Chromium browser;

  @BeforeAll
  static void start() throws IOException {
    browser = Chromium.start(Files.createDirectory(folder.resolve("profile")));
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  @Test
  void aPageAsksNobodyAndFitsAPhone() throws IOException {
    Path spec =
        Files.writeString(
            folder.resolve("small.yaml"),
            """
            machines: [%s/topologies/hgx-h200-4nic.xml]
            axes: {nics: {"4": , "2": 'remove net:mlx5_2 net:mlx5_3'}}
            nodes: [2, 4]
            collectives: all_reduce
            sizes: [1M, 256M]
            prices: {node: 10, nic: 1}
            """
                .formatted(ROOT));
    Path results = folder.resolve("results");
    assertEquals(0, CliRun.of("sweep", spec.toString(), "-o", results.toString()).status());
    Path page = folder.resolve("page.html");
    CliRun run = CliRun.of("sweep", "show", results.toString(), "-o", page.toString());
    assertEquals(ExitStatus.DONE, run.status(), run.err());
    browser.resize(1280, 900);
    browser.open(page);
    assertTrue(browser.one("#front svg circle.on-front").isDisplayed());
    assertTrue(browser.one("#scaling svg").isDisplayed());
    assertEquals("4", browser.one("#designs tbody td:nth-child(2)").getText());
    browser.click("#designs th:nth-child(2) [role='button']");
    assertEquals("2", browser.one("#designs tbody td:nth-child(2)").getText());
    browser.resize(PHONE, 844);
    assertEquals(String.valueOf(PHONE), browser.value("document.documentElement.scrollWidth"));
    browser.darken();
    assertEquals(List.of(), browser.messages());
    List<String> requests = browser.requests();
    assertEquals(1, requests.size(), requests.toString());
    assertTrue(requests.get(0).startsWith("file:"), requests.toString());
  }
}
