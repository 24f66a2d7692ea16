package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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

/** What a browser makes of the page about a job's communication. */
@Tag("slow")
class WorkloadBrowserTest {
  private static final Path MEASURED =
      Path.of(System.getProperty("topo.root")).resolve("src/test/resources/measured");
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
  void aPageAsksNobodyAndFitsAPhone() {
    Path page = folder.resolve("page.html");
    CliRun run =
        CliRun.of(
            "workload",
            MEASURED.resolve("h200-x2-workloads/fsdp.rank0.json.gz").toString(),
            MEASURED.resolve("h200-x2-workloads/fsdp.rank1.json.gz").toString(),
            "--machine",
            MEASURED.resolve("h200-x2.topo.xml").toString(),
            "--env",
            "NCCL_NVLS_ENABLE=0",
            "-o",
            page.toString());
    assertEquals(ExitStatus.DONE, run.status(), run.err());
    browser.resize(1280, 900);
    browser.open(page);
    assertTrue(browser.one("#timeline figure svg").isDisplayed());
    assertFalse(browser.one("#timeline details svg").isDisplayed());
    browser.click("#timeline details summary");
    assertTrue(browser.one("#timeline details svg").isDisplayed());
    browser.click("#calls th:nth-child(4) [role='button']");
    assertEquals("3", browser.one("#calls tbody td:nth-child(4)").getText());
    browser.resize(PHONE, 844);
    assertEquals(String.valueOf(PHONE), browser.value("document.documentElement.scrollWidth"));
    browser.darken();
    assertEquals(List.of(), browser.messages());
    List<String> requests = browser.requests();
    assertEquals(1, requests.size(), requests.toString());
    assertTrue(requests.get(0).startsWith("file:"), requests.toString());
  }
}
