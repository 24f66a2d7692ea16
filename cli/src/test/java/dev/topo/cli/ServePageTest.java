package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.fixture.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.openqa.selenium.Keys;

/**
 * The page of {@code topo serve} in a browser, with the mouse, a finger and the keyboard alone:
 * each task ends with the sentence that the command line answers.
 */
@Tag("slow")
class ServePageTest {
  @TempDir private static Path folder;

  private static ServedPage server;
  private static Chromium page;

  @BeforeAll
  static void start() throws IOException {
    page = Chromium.start(Files.createDirectory(folder.resolve("profile")));
    page.resize(1280, 800);
    Files.createDirectory(folder.resolve("saved"));
    server = new ServedPage();
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      page.close();
      server.close();
      assertEquals(List.of(), server.faults());
    }
  }

  /** Opens the page with the fields of a question. */
  private static void open(String fields) {
    page.open(server.address() + fields);
    page.await("document.body.dataset.answers > 0 && document.body.dataset.state === 'answered'");
  }

  private static void openDgx() {
    open("&machine=shipped-dgx-h100");
  }

  /** Does something that asks a question, and waits for what becomes of it. */
  private static void asking(String state, Runnable action) {
    int before = Integer.parseInt(page.value("document.body.dataset.answers"));
    action.run();
    page.await(
        state.equals("answered")
            ? "document.body.dataset.answers > %d && document.body.dataset.state === 'answered'"
                .formatted(before)
            : "document.body.dataset.state === 'failed'");
  }

  /** Every way to work the page, or one of them for each test. */
  private static List<PageHand> hands(TestInfo test) {
    int offset = Math.floorMod(test.getDisplayName().hashCode(), PageHand.values().length);
    return Thorough.orEvery(
        PageHand.values().length, offset, List.of(PageHand.values()), "ways to work the page");
  }

  private static String text(String selector) {
    return page.one(selector).getText();
  }

  /** The sentence of the page is that of the command line that the page shows. */
  private static void assertIsOfCommandLine(String... words) {
    String command = text("#command");
    for (String word : words) {
      assertTrue(command.contains(word), command);
    }
    assertEquals(ServedPage.ofCommandLine(command).get("answer").asString(), text("#verdict"));
    // A browser reports every answer that refuses something; 409 answers a question that a newer
    // one replaced.
    assertEquals(
        List.of(),
        page.messages().stream().filter(one -> !one.matches(".*status of 4(00|09).*")).toList());
  }

  @Test
  void thePageAsksNothingOfOtherSites() {
    openDgx();

    assertTrue(
        page.requests().stream()
            .allMatch(
                address ->
                    address.startsWith("http://127.0.0.1:" + server.address().getPort() + "/")
                        || address.startsWith("data:")));
    assertIsOfCommandLine("topo predict topologies/dgx-h100.xml");
  }

  @ParameterizedTest
  @MethodSource("hands")
  void aDeviceIsEditedOnTheDrawing(PageHand hand) {
    openDgx();
    asking("answered", () -> hand.edit(page, "net:mlx5_3", "Remove"));

    assertIsOfCommandLine("'remove net:mlx5_3'");
    assertEquals(0, page.all("[data-part='net:mlx5_3']").size());
  }

  @ParameterizedTest
  @MethodSource("hands")
  void aDeviceIsMovedAndMovedBack(PageHand hand) {
    openDgx();
    String before = text("#verdict");
    asking("answered", () -> hand.move(page, "gpu:5", "cpu:0"));
    assertIsOfCommandLine("'move gpu:5 to cpu:0'");
    asking("answered", () -> hand.press(page, "#undo"));

    assertEquals(before, text("#verdict"));
    asking("answered", () -> hand.press(page, "#redo"));
    assertIsOfCommandLine("'move gpu:5 to cpu:0'");
    asking("answered", () -> page.pressWith(Keys.CONTROL, "z"));
    assertEquals(before, text("#verdict"));
  }

  @ParameterizedTest
  @MethodSource("hands")
  void aSettingThatNcclDoesNotHaveIsRefused(PageHand hand) {
    openDgx();
    asking("failed", () -> hand.type(page, "#settings legend + .row input", "NCCL_ALGOO=Ring"));

    assertTrue(text(".field-wrong").startsWith("setting 'NCCL_ALGOO' is not one of"));
    assertTrue(page.one("#stale").isDisplayed());
    asking("answered", () -> hand.type(page, "#settings legend + .row input", "NCCL_ALGO=Ring"));
    assertIsOfCommandLine("--env NCCL_ALGO=Ring");
  }

  @ParameterizedTest
  @MethodSource("hands")
  void twoReleasesAreCompared(PageHand hand) {
    open("&machine=shipped-dgx-h100&nodes=4&release=2.27.5");
    hand.type(page, "#edit-text", "nccl 2.28.9");
    asking("answered", () -> hand.press(page, "#add-edit"));

    assertIsOfCommandLine("'nccl 2.28.9'", "--nccl 2.27.5");
  }

  @ParameterizedTest
  @MethodSource("hands")
  void aNicFailsOnHalfOfTheNodes(PageHand hand) {
    openDgx();
    asking("answered", () -> hand.type(page, "#nodes", "4"));
    asking("answered", () -> hand.type(page, "#edited-nodes", "2"));
    asking("answered", () -> hand.edit(page, "net:mlx5_0", "Remove"));

    assertIsOfCommandLine("--nodes 4", "--edited-nodes 2", "'remove net:mlx5_0'");
    assertTrue(text("#verdict").contains("on 2 of 4 nodes"));
  }

  @ParameterizedTest
  @MethodSource("hands")
  void aGraphIsDrawnAndAnotherOperationAsked(PageHand hand) {
    openDgx();
    asking("answered", () -> hand.choose(page, "#graph", "ring"));
    assertTrue(text("#drawing").contains("RING"));
    asking("answered", () -> hand.choose(page, "#collective", "alltoall"));

    assertIsOfCommandLine("--collective alltoall");
  }

  @ParameterizedTest
  @MethodSource("hands")
  void aJobIsSplitAndOneOfItsCommunicatorsIsShown(PageHand hand) {
    open("&machine=shipped-dgx-1v&edit=remove+nvlink:0-1");
    asking("failed", () -> hand.type(page, "#split", "0-2;3-77"));
    assertTrue(text(".field-wrong").startsWith("--split: rank 77"), text(".field-wrong"));
    asking("answered", () -> hand.type(page, "#split", "0-2;3-7"));
    assertIsOfCommunicator(0, "--split '0-2;3-7'");
    asking("answered", () -> hand.choose(page, "#communicator", "1"));
    assertIsOfCommunicator(1, "--split '0-2;3-7'");
    String verdict = text("#verdict");
    page.open(page.value("location.href"));
    page.await("document.body.dataset.state === 'answered'");
    assertEquals(verdict, text("#verdict"));
    assertEquals("1", page.value("document.getElementById('communicator').value"));
  }

  @ParameterizedTest
  @MethodSource("hands")
  void aJobHasSeveralMachines(PageHand hand) {
    open("&machine=shipped-dgx-h100&edit=remove+net:mlx5_3");
    asking("answered", () -> hand.choose(page, "#others select", "shipped-dgx-a100"));
    asking("answered", () -> hand.type(page, "#others input", "2"));
    assertIsOfCommandLine("--node 'topologies/dgx-h100.xml*1' --node 'topologies/dgx-a100.xml*2'");
    assertTrue(text("#verdict").contains("dgx-h100 + dgx-a100 x 2"), text("#verdict"));
    String verdict = text("#verdict");
    page.open(page.value("location.href"));
    page.await("document.body.dataset.state === 'answered'");
    assertEquals(verdict, text("#verdict"));
    asking("answered", () -> hand.choose(page, "#others select", ""));
    assertIsOfCommandLine("topo whatif topologies/dgx-h100.xml 'remove net:mlx5_3' --collective");
    assertEquals(1, page.all("#others select").size());
  }

  private static void assertIsOfCommunicator(int number, String words) {
    String command = text("#command");
    assertTrue(command.contains(words), command);
    assertEquals(
        ServedPage.ofCommandLine(command)
            .at("/communicators/" + number + "/document/answer")
            .asString(),
        text("#verdict"));
  }

  @ParameterizedTest
  @MethodSource("hands")
  void aLinkAndADeviceSayWhatRunsOverThem(PageHand hand) {
    open("&machine=shipped-dgx-h100&graph=ring");
    hand.look(page, "gpu:2");
    String gpu = text("#part-facts");
    assertTrue(gpu.contains("Paths: NVL 370.8 GB/s to 7 GPUs; PIX 48 GB/s to port mlx5_2"), gpu);
    assertTrue(gpu.contains(". ring: channels 0-11"), gpu);
    page.press(Keys.ESCAPE);
    hand.look(page, "CPU 0-0 to CPU 0-1 SYS");
    assertEquals(
        "CPU 0-0 to CPU 0-1, SYS, 22 GB/s. ring: nothing runs over it", text("#part-facts"));
    hand.look(page, "nvlink:2");
    String link = text("#part-facts");
    assertTrue(link.contains("NVL, 370.8 GB/s. ring: 360 of 370.8 GB/s (97 %) to "), link);
    page.press(Keys.ESCAPE);
    asking("answered", () -> hand.choose(page, "#graph", "tree"));
    assertEquals(link.split(" ring: ")[0] + " tree: ", text("#part-facts").split("\\d+ of")[0]);
  }

  @ParameterizedTest
  @MethodSource("hands")
  void theReasonOfAChoiceIsShown(PageHand hand) {
    openDgx();
    hand.press(page, "#rows tr[data-bytes=\"1048576\"] button");
    page.await("document.getElementById('why-text').textContent.includes('NCCL runs')");
    assertTrue(text("#why-text p").contains("AllReduce of 1 MiB on dgx-h100: "), text("#why-text"));
    assertTrue(text("#why-text").contains("us by its own model, the shortest"), text("#why-text"));

    page.press(Keys.ESCAPE);
    page.await("!document.getElementById('why').open");
  }

  /** Presses a button that saves a file, and waits for the file. */
  private static Path saved(PageHand hand, String button, String name) throws Exception {
    Path saved = folder.resolve("saved").resolve(name);
    Files.deleteIfExists(saved);
    try (WatchService watched = folder.getFileSystem().newWatchService()) {
      saved.getParent().register(watched, StandardWatchEventKinds.ENTRY_CREATE);
      hand.press(page, button);
      // Chromium first makes an empty file of that name, for its permissions, and then moves the
      // whole one there (MoveFileAndAdjustPermissions).
      while (!Files.exists(saved) || Files.size(saved) == 0) {
        WatchKey change = watched.take();
        change.pollEvents();
        change.reset();
      }
    }
    return saved;
  }

  @ParameterizedTest
  @MethodSource("hands")
  void chartAndReportAreSaved(PageHand hand) throws Exception {
    open("&machine=shipped-dgx-h100&nodes=2&edit=remove+net:mlx5_3");

    String chart = Files.readString(saved(hand, "#save-chart", "dgx-h100-edited-chart.svg"));
    assertTrue(chart.contains("dgx-h100 x 2 as it is"), chart.substring(0, 2000));
    assertTrue(chart.contains("dgx-h100 x 2 after the edits"), "the chart of the edited job");
    String report = Files.readString(saved(hand, "#save-report", "dgx-h100-edited-report.html"));
    assertTrue(report.contains("Edited: remove net:mlx5_3."), "the report of the edited job");
  }

  @ParameterizedTest
  @MethodSource("hands")
  void memoryIsShownBeforeAndAfterAnEdit(PageHand hand) {
    openDgx();
    hand.press(page, "#memory summary");
    page.await("document.getElementById('memory-text').textContent.includes('NCCL takes')");
    String before = text("#memory-text p");

    assertEquals(
        ServedPage.ofCommandLine(text("#memory-text code")).get("answer").asString(), before);
    hand.type(page, "#edit-text", "env NCCL_NVLS_ENABLE=0");
    asking("answered", () -> hand.press(page, "#add-edit"));
    page.await("document.getElementById('memory-text').textContent.includes('After: NCCL takes')");
    assertEquals("Before: " + before, text("#memory-text p"));
    assertTrue(text("#memory-text").contains("NVLS: buffers, gpu"), text("#memory-text"));
  }

  @ParameterizedTest
  @MethodSource("hands")
  void aLongQuestionSaysWhatIsDoneAndIsCancelled(PageHand hand) {
    openDgx();
    hand.type(page, "#nodes", "60000");
    page.await("/ … [1-9]\\d* s$/.test(document.getElementById('status').textContent)");
    asking("failed", () -> hand.press(page, "#cancel"));

    assertEquals("Cancelled.", text("#error"));
    asking("answered", () -> hand.type(page, "#nodes", "2"));
    assertIsOfCommandLine("--nodes 2");
  }

  @ParameterizedTest
  @MethodSource("hands")
  void anEditedMachineIsSavedAndOpenedAgain(PageHand hand) throws Exception {
    open("&machine=shipped-dgx-h100&edit=remove+net:mlx5_3");
    Path saved = saved(hand, "#save-xml", "dgx-h100-edited.xml");
    openDgx();
    asking("answered", () -> page.one("#file").sendKeys(saved.toString()));

    assertEquals(0, page.all("[data-part='net:mlx5_3']").size());
    assertEquals(1, page.all("[data-part='net:mlx5_4']").size());
    assertEquals(0, page.all("#edits li").size());
  }

  @ParameterizedTest
  @MethodSource("hands")
  void aLinkRestoresTheState(PageHand hand) {
    open("&machine=shipped-dgx-h100&nodes=2&edit=remove+net:mlx5_3&graph=ring");
    asking("answered", () -> hand.edit(page, "gpu:0", "Without GPUDirect RDMA"));
    String verdict = text("#verdict");
    String link = page.value("location.href");
    page.open(link);
    page.await("document.body.dataset.state === 'answered'");

    assertEquals(verdict, text("#verdict"));
    assertEquals(2, page.all("#edits li").size());
    assertIsOfCommandLine("gpu:0.gdr=0");
  }

  /** The smallest text of the machine in pixels of the screen. */
  private static double smallestText() {
    return Double.parseDouble(
        page.value(
            "Math.min(...[...document.querySelectorAll('#drawing text')].map(text =>"
                + " parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))"));
  }

  private static boolean isOnScreen(String selector) {
    return Boolean.parseBoolean(
        page.value(
            "(box => box.width > 0 && box.left >= 0 && box.top >= 0 && box.right <= innerWidth"
                + " && box.bottom <= innerHeight)"
                + "(document.querySelector('%s').getBoundingClientRect())".formatted(selector)));
  }

  @ParameterizedTest
  @CsvSource({"1280,800", "1920,1080"})
  void theFirstScreenHasMachineCurveSentenceAndEdits(int width, int height) {
    page.resize(width, height);
    for (String machine : List.of("dgx-h100", "dgx-1v", "dgx-a100", "l40s-8-switched")) {
      open("&machine=shipped-" + machine + "&nodes=2&edit=remove+gpu:3");
      for (String part :
          List.of("#verdict", "#drawing svg", "#curve svg", "#edits li", "#edit-text", "#nodes")) {
        assertTrue(isOnScreen(part), part + " of " + machine);
      }
      assertTrue(smallestText() >= 11, machine + " has text of " + smallestText());
      assertEquals(
          "false",
          page.value("document.documentElement.scrollWidth > innerWidth"),
          machine + " is wider than the screen");
    }
    page.resize(1280, 800);
  }

  @Test
  void aPhoneScrollsOnlyDownwards() {
    page.resize(400, 800);
    openDgx();

    assertEquals("false", page.value("document.documentElement.scrollWidth > innerWidth"));
    assertTrue(isOnScreen("#verdict"));
    assertTrue(isOnScreen("#curve svg"));
    assertTrue(smallestText() >= 11);
    page.resize(1280, 800);
  }

  @Test
  void theCurveHasTheFiguresOfTheTableWithTheirRanges() {
    open("&machine=shipped-dgx-h100&nodes=4&edit=remove+net:mlx5_3");

    for (String state : List.of("before", "after")) {
      int rows = page.all("#rows tbody tr").size();
      assertEquals(rows, page.all("#curve ." + state + ".dot").size());
      assertEquals(
          2 * rows,
          page.one("#curve ." + state + ".band").getAttribute("d").split("[ML]").length - 1);
    }
    assertEquals(
        text("#rows tbody tr:last-child td:nth-child(3)"),
        page.value("[...document.querySelectorAll('#curve .after title')].pop().textContent")
            .replaceFirst("^1 GiB, (.*) GB/s.*", "$1"));
    asking("answered", () -> PageHand.MOUSE.type(page, "#sizes", "1G"));
    assertEquals(1, page.all("#curve .after.bar").size());
  }

  @Test
  void whatLimitsIsRingedOnMachineAndCurve() {
    open("&machine=shipped-dgx-h100&nodes=4");

    assertEquals(8, page.all("#drawing rect.limit").size());
    assertTrue(text("#curve-note").contains("1 GiB is limited by the NICs"), text("#curve-note"));
    assertTrue(!page.all("#curve .ring").isEmpty());
    asking("answered", () -> PageHand.MOUSE.type(page, "#sizes", "64K"));
    assertEquals(0, page.all("#drawing .limit").size() + page.all("#curve .ring").size());
    assertTrue(text("#curve-note").contains("64 KiB is limited by latency"), text("#curve-note"));
  }

  @ParameterizedTest
  @MethodSource("hands")
  void aWrongEditIsRefusedWhereItIsTypedAndNeverJoinsTheList(PageHand hand) {
    open("&machine=shipped-dgx-h100&nodes=2&edit=remove+net:mlx5_3");
    String verdict = text("#verdict");
    String address = page.value("location.href");
    hand.type(page, "#edit-text", "remove gpu:77");
    hand.press(page, "#add-edit");
    page.await("document.querySelector('.field-wrong')");

    assertTrue(text(".field-wrong").contains("gpu:77"), text(".field-wrong"));
    assertEquals("remove gpu:77", page.one("#edit-text").getAttribute("value"));
    assertEquals(1, page.all("#edits li").size());
    assertEquals(verdict, text("#verdict"));
    assertEquals(address, page.value("location.href"));
    assertEquals("answered", page.value("document.body.dataset.state"));
    hand.type(page, "#edit-text", "remove gpu:7");
    asking("answered", () -> hand.press(page, "#add-edit"));
    assertEquals(List.of(), page.all(".field-wrong"));
    assertEquals("", page.one("#edit-text").getAttribute("value"));
    assertIsOfCommandLine("'remove net:mlx5_3' 'remove gpu:7'");
  }

  @Test
  void anEditThatFollowsBeforeTheAnswerLosesNone() {
    openDgx();
    asking(
        "answered",
        () ->
            page.value(
                "['remove net:mlx5_3', 'remove net:mlx5_4'].forEach(edit => {"
                    + " document.getElementById('edit-text').value = edit;"
                    + " document.getElementById('add-edit').click(); })"));

    assertEquals(2, page.all("#edits li").size());
    assertIsOfCommandLine("'remove net:mlx5_3' 'remove net:mlx5_4'");
  }

  @ParameterizedTest
  @MethodSource("hands")
  void aFieldThatIsNotUnderstoodSaysSoAndKeepsItsText(PageHand hand) {
    openDgx();
    asking("failed", () -> hand.type(page, "#nodes", "four"));

    assertEquals("'four': expected a whole number", text(".field-wrong"));
    assertEquals("four", page.one("#nodes").getAttribute("value"));
    asking("answered", () -> hand.type(page, "#nodes", "4"));
    assertIsOfCommandLine("--nodes 4");
  }

  @ParameterizedTest
  @MethodSource("hands")
  void channelsAreShownOneAfterTheOther(PageHand hand) {
    openDgx();
    hand.press(page, "#play");
    page.await("document.querySelector('#drawing').textContent.includes('channel 2 of')");
    hand.press(page, "#play");

    assertEquals("false", page.one("#play").getAttribute("aria-pressed"));
    assertTrue(page.value("location.href").contains("graph=ring"));
  }

  @Test
  void escapeClosesTheMenuWhereItWasOpened() {
    openDgx();
    page.clickAt(page.one("[data-part='gpu:0']"));
    page.await("document.activeElement.getAttribute('role') === 'menuitem'");
    page.press(Keys.ESCAPE);

    assertEquals("gpu:0", page.value("document.activeElement.dataset.part"));
  }
}
