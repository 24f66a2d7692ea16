package dev.topo.property;

import dev.topo.cli.fixture.CliRun;
import dev.topo.model.fixture.Thorough;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No answer has the text of an object in place of a word: {@link CliRun} looks at each. */
class ObjectTextTest {
  private final Counts counts = new Counts("answers without the text of an object");

  @TempDir private Path folder;

  @Test
  void noAnswerContainsTheTextOfAnObject() {
    Cases.every(Thorough.isOn() ? 2 : 50).forEach(this::ask);
    counts.report();
  }

  private void ask(DrawnJob job) {
    counts.begin(job);
    for (String name : List.of("tune", "predict")) {
      run(job.withCalls(job.command(name, folder)));
    }
    for (String name : List.of("search", "connect", "explain", "memory")) {
      run(job.command(name, folder));
    }
    String file = DrawnJob.write(job.machine(), folder).toString();
    run(List.of("show", file));
    run(List.of("paths", file));
    run(List.of("lint", file));
    run(List.of("diff", file, "dgx-h100"));
    // A fleet, whose machines change with the release.
    run(
        List.of(
            "upgrade",
            file,
            "dgx-h100",
            "hgx-h100-dualport",
            "--from",
            job.nccl(),
            "--to",
            "2.19.3"));
    List<String> whatif = new ArrayList<>(job.withCalls(job.command("whatif", folder)));
    if (job.first().isPresent()) {
      whatif.add(1, file);
    }
    whatif.add(2, "env NCCL_MAX_CTAS=1");
    run(whatif);
  }

  private void run(List<String> words) {
    Command.run(words, "-q");
    Command.run(words, "--format", "json");
    if (!words.get(0).equals("lint")) {
      Command.run(words, "-v");
    }
    counts.check(String.join(" ", words), true);
  }
}
