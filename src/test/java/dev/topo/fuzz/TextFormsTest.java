package dev.topo.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.fuzz.Format.Reading;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A UTF-8 byte order mark and Windows line ends change no answer, whatever reads a text. {@code
 * -Dtopo.test.thorough=true} tries all commands that read a format.
 */
@Tag("slow")
class TextFormsTest {

  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  private static final Map<String, UnaryOperator<String>> FORMS = forms();

  private static final List<Format> OTHERS = others();

  /** Commands that read a format; all of them with {@code -Dtopo.test.thorough=true}. */
  private static final int COMMANDS = Boolean.getBoolean("topo.test.thorough") ? 99 : 1;

  @TempDir private Path folder;

  private static Map<String, UnaryOperator<String>> forms() {
    Map<String, UnaryOperator<String>> forms = new LinkedHashMap<>();
    forms.put("a byte order mark", text -> "\ufeff" + text);
    forms.put("Windows line ends", text -> text.replace("\n", "\r\n"));
    forms.put("both", text -> "\ufeff" + text.replace("\n", "\r\n"));
    return forms;
  }

  static List<Format> formats() {
    return Stream.concat(
            Formats.all().stream().filter(format -> format.mutator() instanceof TextMutator),
            OTHERS.stream())
        .toList();
  }

  /** Texts that no test damages. */
  private static List<Format> others() {
    String predict = "predict topologies/l40s-4.xml --collective all_reduce --sizes 1M";
    return List.of(
        Formats.file(
            "sweep",
            "sweep.yaml",
            Formats.reading(
                Formats.texts(
                    """
                    name: small
                    machines: %s/topologies/l40s-4.xml # shipped
                    collectives: [all_reduce]
                    sizes: 1M
                    """
                        .formatted(System.getProperty("topo.root"))),
                "sweep {file} --dry-run")),
        Formats.file(
            "lstopo",
            "lstopo.xml",
            Formats.reading(
                Formats.files("examples/two-h100-lstopo.xml"),
                "import {file} --assume gpu=h100,net=400000")),
        Formats.file(
            "matrix of nvidia-smi",
            "topo.txt",
            Formats.reading(
                Formats.files("examples/dgx-h100-topo.txt"),
                "import {file} --assume gpu=h100,cpu=amd-genoa,net=400000")),
        Formats.file(
            "traffic",
            "traffic.csv",
            Formats.reading(
                Formats.texts(
                    "0,1024,1024,4096\n1024,0,1024,1024\n1024,1024,0,1024\n2048,1024,1024,0\n"),
                "predict topologies/l40s-4.xml --collective alltoallv --traffic {file}")),
        Formats.file(
            "list of ranks",
            "ranks.txt",
            Formats.reading(Formats.texts("0 2 # first\n1,3\n"), predict + " --ranks {file}")),
        Formats.file(
            "network",
            "mine.network",
            Formats.reading(
                Formats.files(
                    "simulator/src/main/resources/dev/topo/simulator/network/sockets.properties"),
                "predict topologies/hgx-a100-1nic.xml --nodes 2 --collective all_reduce --sizes 1M --network {file}")),
        Formats.file(
            "pairs",
            "pairs.csv",
            Formats.reading(
                Formats.files("examples/pairs.csv"),
                "diagnose {file}",
                "diagnose {file} --format json")),
        Formats.file(
            "measured text",
            "one.txt",
            Formats.reading(
                Formats.files("examples/one-nic.txt"),
                "diagnose {file} --machine topologies/dgx-h100.xml")),
        Formats.file(
            "log of one process",
            "sockets.log",
            Formats.reading(Formats.files("examples/sockets.log"), "diagnose {file}")));
  }

  @ParameterizedTest
  @MethodSource("formats")
  void changeNoAnswer(Format format) {
    List<String> differences = new ArrayList<>();
    for (Reading reading : format.readings()) {
      // Lint says what NCCL does with the bytes of its own files.
      reading.commands().stream()
          .filter(command -> command.stream().anyMatch(word -> word.contains(Format.FILE)))
          .filter(command -> !command.get(0).equals("lint"))
          .limit(COMMANDS)
          .forEach(command -> compare(format, reading, command, differences));
    }
    assertEquals("", String.join("\n", differences), differences.size() + " differences");
  }

  private void compare(
      Format format, Reading reading, List<String> command, List<String> differences) {
    byte[] seed = reading.seeds().get(0);
    Call expected = call(format, seed, command);
    if (OTHERS.contains(format)) {
      assertTrue(expected.status() <= 1, expected.err());
    }
    String text = new String(seed, StandardCharsets.UTF_8);
    FORMS.forEach(
        (name, form) -> {
          Call call = call(format, form.apply(text).getBytes(StandardCharsets.UTF_8), command);
          if (!answer(call).equals(answer(expected))) {
            differences.add(
                "%s, %s: topo %s: status %d for %d, %s"
                    .formatted(
                        format.name(),
                        name,
                        String.join(" ", command),
                        call.status(),
                        expected.status(),
                        call.err().lines().findFirst().orElse("")));
          }
        });
  }

  /** Without the hash of the input, which JSON names. */
  private static String answer(Call call) {
    return HASH.matcher(call.status() + "\n" + call.out() + "\n" + call.err()).replaceAll("hash");
  }

  private Call call(Format format, byte[] input, List<String> command) {
    return new Case(format, 0, 0, input, command).run(folder);
  }
}
