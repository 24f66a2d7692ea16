package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** What a browser makes of a report. */
@Tag("slow")
class ReportBrowserTest {
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

  private static void open(String machine, String... options) {
    Path page = folder.resolve("report.html");
    List<String> args = new ArrayList<>(List.of("report"));
    args.add(ROOT.resolve("topologies/" + machine + ".xml").toString());
    args.addAll(List.of(options));
    args.addAll(List.of("-o", page.toString()));
    CliRun run = CliRun.of(args.toArray(String[]::new));
    assertEquals("", run.err());
    assertEquals(ExitStatus.DONE, run.status());
    browser.resize(1280, 900);
    browser.open(page);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dgx-h100", "dgx-2", "hgx-h100-32nic", "gb200-tray", "gh200"})
  void aPageAsksNobodyAndFitsAPhone(String machine) {
    open(machine, "--sizes", "1K,1M,1G");
    browser.resize(PHONE, 844);
    assertEquals(
        String.valueOf(PHONE), browser.value("document.documentElement.scrollWidth"), machine);
    browser.darken();
    assertEquals(List.of(), browser.messages());
    List<String> requests = browser.requests();
    assertEquals(1, requests.size(), requests.toString());
    assertTrue(requests.get(0).startsWith("file:"), requests.toString());
  }

  private static String status() {
    return browser.one(".status").getText();
  }

  private static long arrows() {
    return Long.parseLong(
        browser.value(
            "[...document.querySelectorAll('.drawing [data-flow]')]"
                + ".filter(arrow => arrow.getClientRects().length > 0).length"));
  }

  @Test
  void channelsAreShownOneAfterTheOther() {
    open("dgx-h100", "--nodes", "4", "--sizes", "1M");
    assertEquals("The machine without a channel.", status());
    assertEquals(0, arrows());
    browser.click("[data-step='1']");
    assertTrue(status().startsWith("ring, channel 0 of 8: RING, 48 GB/s a channel."), status());
    assertEquals("1 of 8", browser.all(".drawing [data-place]").get(0).getText());
    long first = arrows();
    assertTrue(first > 8, first + " arrows");
    browser.click("[data-step='1']");
    assertTrue(status().startsWith("ring, channel 1 of 8"), status());
    assertNotEquals("1 of 8", browser.all(".drawing [data-place]").get(0).getText());
    browser.one("[data-step='1']").sendKeys(Keys.ARROW_LEFT, Keys.ARROW_LEFT);
    assertTrue(status().startsWith("nvls, channel 7 of 8"), status());
    browser.click(".controls [data-graph='tree']");
    assertTrue(status().startsWith("tree, channel 0 of 8"), status());
    assertEquals(
        "true", browser.one(".controls [data-graph='tree']").getDomAttribute("aria-pressed"));
    browser.click(".stepper tbody tr[data-graph='ring']");
    assertEquals("ring", browser.one("tr[aria-current]").getDomAttribute("data-graph"));
    browser.one("[data-step='0']").sendKeys(Keys.ESCAPE);
    assertEquals("The machine without a channel.", status());
    assertEquals(0, arrows());
    assertEquals(List.of(), browser.messages());
  }

  private static int elementsOf(int trays) {
    String number = String.valueOf(trays);
    open("gb200-tray", "--nodes", number, "--nvlink-domain", number);
    return Integer.parseInt(browser.value("document.querySelectorAll('*').length"));
  }

  @Test
  void equalTraysCostNoElements() {
    int two = elementsOf(2);
    int four = elementsOf(4);
    // Texts on ranks and hosts differ a little; drawn one by one, twice the trays are 2.6 times as
    // many.
    assertTrue(four < 1.1 * two, two + " elements for 2 trays, " + four + " for 4");
  }

  /** 144 GPUs and 144 ports: equal trays are folded in the drawing and in the paths. */
  @Test
  void twoRacksAreShownFolded() throws IOException {
    open("gb200-tray", "--nodes", "36", "--nvlink-domain", "18");
    Path page = folder.resolve("report.html");
    assertTrue(Files.size(page) < 400_000, Files.size(page) + " bytes");
    assertEquals("4", browser.value("document.querySelectorAll('#paths .heat tbody tr').length"));
    browser.click(".controls [data-graph='ring']");
    assertTrue(status().startsWith("ring, channel 0 of 16: RING, 45.1 GB/s a channel."), status());
    assertTrue(status().contains("hosts 17 to 1, each 3 2 1 0"), status());
    for (int step = 0; step < 4; step++) {
      browser.click("[data-step='1']");
    }
    List<String> places =
        browser.all(".drawing [data-place]").stream().map(WebElement::getText).toList();
    assertTrue(places.contains("shown: host 1"), places.toString());
    assertTrue(places.contains("1 of 72"), places.toString());
    assertEquals(List.of(), browser.messages());
  }

  private static List<String> column(String section, int number) {
    String cells = section + " table.data tbody td:nth-child(" + number + ")";
    return browser
        .value(
            "[...document.querySelectorAll('"
                + cells
                + "')].map(cell => cell.innerText.trim()).join('\\n')")
        .lines()
        .toList();
  }

  @Test
  void tablesAreSortedByTheirNumbers() {
    open("dgx-1v", "--sizes", "1K,1M,1G", "--collective", "all_reduce");
    List<String> before = column("#predictions", 2);
    assertEquals(List.of("1 KiB", "1 MiB", "1 GiB"), before);
    String size = "#predictions th:nth-child(2) [role='button']";
    browser.click(size);
    browser.click(size);
    assertEquals(List.of("1 GiB", "1 MiB", "1 KiB"), column("#predictions", 2));
    assertEquals(
        "descending", browser.one("#predictions th:nth-child(2)").getDomAttribute("aria-sort"));
    browser.one(size).sendKeys(Keys.ENTER);
    assertEquals(before, column("#predictions", 2));
    browser.click("#paths th:nth-child(3) [role='button']");
    List<String> types = column("#paths", 3).stream().distinct().toList();
    assertEquals("NVL", types.get(0));
    assertEquals("SYS", types.get(types.size() - 1));
    assertEquals(List.of(), browser.messages());
  }
}
