package dev.topo.golden;

import dev.topo.cli.TopoCommand;
import dev.topo.cli.stream.Streams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import javax.imageio.ImageIO;

/** What a call does, as text: status, stdout, stderr and the files that it writes. */
final class GoldenAnswer {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final List<String> PLACES =
      List.of("topologies", "examples", "docs", "src", "missing");
  private static final String OUT = "{out}";

  /** A longer part is cut. */
  private static final int MAX_CHARACTERS = 12_000;

  /** What differs between hosts and builds. */
  private static final Pattern MASKED =
      Pattern.compile("(\"seconds\" : |\"build\" : |(?m:^)  time: about )[^\\n]*");

  private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G'};

  private final Path folder;
  private final StringBuilder text = new StringBuilder();

  private GoldenAnswer(Path folder) {
    this.folder = folder;
  }

  /**
   * Makes a call.
   *
   * @param folder an empty folder, for its files
   */
  static String of(GoldenCase one, Path folder) throws IOException {
    GoldenAnswer answer = new GoldenAnswer(folder);
    answer.call(one);
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path file : tree.filter(Files::isRegularFile).sorted().toList()) {
        answer.add(answer.masked(file.toString()), content(file));
      }
    }
    return answer.text.toString();
  }

  private static byte[] content(Path file) throws IOException {
    try (InputStream stream = Files.newInputStream(file)) {
      return (file.toString().endsWith(".gz") ? new GZIPInputStream(stream) : stream)
          .readAllBytes();
    }
  }

  private void call(GoldenCase one) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Streams streams =
        new Streams(
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8));
    String[] words = one.words().stream().map(this::placed).toArray(String[]::new);
    int status = TopoCommand.execute(streams, Map.of(), words);
    streams.flush();
    text.append(("$ topo " + one.command()).strip()).append('\n');
    text.append("exit status ").append(status).append('\n');
    add("stdout", out.toByteArray());
    add("stderr", err.toByteArray());
  }

  private String placed(String word) {
    if (word.contains(OUT)) {
      return word.replace(OUT, folder.toString());
    }
    boolean isFile = PLACES.stream().anyMatch(place -> word.matches(place + "([./].*)?"));
    return isFile ? ROOT.resolve(word).toString() : word;
  }

  /** Without what differs between folders, hosts and builds. */
  private String masked(String text) {
    return MASKED.matcher(inProject(text.replace(folder.toString(), OUT))).replaceAll("$1...");
  }

  /** With paths from the project's folder on. */
  static String inProject(String text) {
    return text.replace(ROOT + "/", "");
  }

  private void add(String what, byte[] content) {
    if (content.length == 0) {
      return;
    }
    text.append("--- ").append(what).append('\n');
    String shown =
        isPng(content) ? size(content) : masked(new String(content, StandardCharsets.UTF_8));
    if (shown.length() <= MAX_CHARACTERS) {
      text.append(shown);
    } else {
      text.append(shown, 0, shown.lastIndexOf('\n', MAX_CHARACTERS) + 1);
      text.append("... %,d characters, SHA-256 %s".formatted(shown.length(), sha256(shown)));
    }
    if (text.charAt(text.length() - 1) != '\n') {
      text.append("\n(no line end)\n");
    }
  }

  private static boolean isPng(byte[] content) {
    return Arrays.equals(PNG, Arrays.copyOf(content, PNG.length));
  }

  /** The pixels depend on the fonts of the host. */
  private static String size(byte[] png) {
    try {
      var image = ImageIO.read(new ByteArrayInputStream(png));
      return "PNG of %d x %d\n".formatted(image.getWidth(), image.getHeight());
    } catch (IOException e) {
      return "no PNG: " + e.getMessage() + "\n";
    }
  }

  /** The hash of an answer. */
  static String sha256(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
