package dev.topo.cli;

import dev.topo.model.fixture.NotRun;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.interactions.PointerInput;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LoggingPreferences;

/** The Chromium of the host without a window, by its own driver; nothing is fetched for it. */
final class Chromium implements AutoCloseable {
  private static final String BROWSER_LOG = "browser";
  private static final String NETWORK_LOG = "performance";
  private static final Pattern REQUEST =
      Pattern.compile("\"Network\\.requestWillBeSent\".*?\"request\":\\{.*?\"url\":\"([^\"]*)\"");

  /** Kept, so that its level is. */
  private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

  /** Most milliseconds that a script of a test waits. */
  private static final int MOST_MS = 120_000;

  /** More than a finger that trembles. */
  private static final int DRAG_STEP = 20;

  private final ChromeDriver driver;

  private Chromium(ChromeDriver driver) {
    this.driver = driver;
  }

  /**
   * Starts the browser; skips the tests if it or its driver is missing.
   *
   * @param profile an empty folder for its settings
   */
  static Chromium start(Path profile) {
    Optional<File> browser = onPath("chromium", "chromium-browser", "google-chrome");
    Optional<File> chromeDriver = onPath("chromedriver");
    if (browser.isEmpty() || chromeDriver.isEmpty()) {
      NotRun.because("report in a browser (no chromium and chromedriver on the PATH)");
    }
    // It would warn of a version of the browser that is newer than itself.
    SELENIUM.setLevel(Level.SEVERE);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(browser.orElseThrow());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--user-data-dir=" + profile);
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(BROWSER_LOG, Level.ALL);
    logs.enable(NETWORK_LOG, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    options.setExperimentalOption(
        "prefs", Map.of("download.default_directory", profile.resolveSibling("saved").toString()));
    // The first answer on a rack takes 15 s of processor time, more beside other tests.
    options.setCapability("timeouts", Map.of("script", MOST_MS));
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(chromeDriver.orElseThrow())
            .usingAnyFreePort()
            .build();
    return new Chromium(new ChromeDriver(service, options));
  }

  private static Optional<File> onPath(String... names) {
    List<String> folders =
        List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator));
    return Stream.of(names)
        .flatMap(name -> folders.stream().map(folder -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .map(Path::toFile)
        .findFirst();
  }

  /** Opens a file, with the logs of what was before thrown away. */
  void open(Path file) {
    open(file.toUri().toString());
  }

  /** Opens an address, with the logs of what was before thrown away. */
  void open(String address) {
    driver.get("about:blank");
    messages();
    requests();
    driver.get(address);
    // get() may return while the page is still being read.
    while (!value("document.readyState === 'complete' && location.href !== 'about:blank'")
        .equals("true")) {
      Thread.onSpinWait();
    }
  }

  /** Presses keys wherever the focus is. */
  void press(CharSequence... keys) {
    new Actions(driver).sendKeys(keys).perform();
  }

  /** Presses a key while another one is down. */
  void pressWith(Keys held, CharSequence key) {
    new Actions(driver).keyDown(held).sendKeys(key).keyUp(held).perform();
  }

  /** Moves the pointer to the middle of a part and clicks, whatever is on top there. */
  void clickAt(WebElement part) {
    new Actions(driver).moveToElement(part).click().perform();
  }

  /** Drags a part to another. */
  void drag(WebElement part, WebElement to) {
    new Actions(driver).clickAndHold(part).moveToElement(to).release().perform();
  }

  /** Moves the mouse over a part. */
  void hover(WebElement part) {
    toView(part);
    new Actions(driver).moveToElement(part).perform();
  }

  /** Touches the middle of a part with a finger. */
  void tap(WebElement part) {
    toView(part);
    finger().moveToElement(part).clickAndHold().release().perform();
  }

  /** Drags a part to another with a finger. */
  void dragByFinger(WebElement part, WebElement to) {
    finger()
        .moveToElement(part)
        .clickAndHold()
        .moveByOffset(0, DRAG_STEP)
        .moveToElement(to)
        .release()
        .perform();
  }

  private Actions finger() {
    return new Actions(driver).setActivePointer(PointerInput.Kind.TOUCH, "finger");
  }

  private void toView(WebElement part) {
    driver.executeScript("arguments[0].scrollIntoView({ block: 'nearest' })", part);
  }

  /** Waits until an expression of JavaScript is true. */
  void await(String condition) {
    driver.executeAsyncScript(
        "const done = arguments[0]; const wait = () => (%s) ? done() : setTimeout(wait, 10); wait();"
            .formatted(condition));
  }

  /** What the console says since the file was opened or this was asked last. */
  List<String> messages() {
    return driver.manage().logs().get(BROWSER_LOG).getAll().stream()
        .map(LogEntry::getMessage)
        .toList();
  }

  /** The addresses that were asked for since then. */
  List<String> requests() {
    return driver.manage().logs().get(NETWORK_LOG).getAll().stream()
        .map(LogEntry::getMessage)
        .flatMap(message -> REQUEST.matcher(message).results())
        .map(match -> match.group(1))
        .toList();
  }

  /** Makes the page as large as the screen of some device, in pixels of style sheets. */
  void resize(int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
  }

  /** Says that the user likes dark pages. */
  void darken() {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", "dark"))));
  }

  /** What the screen shows, as PNG. */
  byte[] picture() {
    return driver.getScreenshotAs(OutputType.BYTES);
  }

  /** The parts of the page that a selector finds. */
  List<WebElement> all(String selector) {
    return driver.findElements(By.cssSelector(selector));
  }

  /** The first part that a selector finds. */
  WebElement one(String selector) {
    return driver.findElement(By.cssSelector(selector));
  }

  /** Clicks where a person would. */
  void click(String selector) {
    one(selector).click();
  }

  /** The value of a script. */
  String value(String expression) {
    return String.valueOf(driver.executeScript("return " + expression));
  }

  @Override
  public void close() {
    driver.quit();
  }
}
