package dev.topo.cli;

import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.terminal.Progress.Task;
import dev.topo.model.io.OutputException;
import dev.topo.model.job.SettingException;
import dev.topo.simulator.sweep.AnswerReader;
import dev.topo.simulator.sweep.ResultFolder;
import dev.topo.simulator.sweep.Shard;
import dev.topo.simulator.sweep.SpecFiles;
import dev.topo.simulator.sweep.SpecReader;
import dev.topo.simulator.sweep.SweepInfo;
import dev.topo.simulator.sweep.SweepPlan;
import dev.topo.simulator.sweep.SweepRunner;
import dev.topo.simulator.sweep.SweepSpec;
import dev.topo.visualizer.study.PlanOutput;
import dev.topo.visualizer.study.SweepNotes;
import dev.topo.visualizer.study.SweepSentence;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.OptionWords;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topo sweep}: evaluates thousands of designs, on all cores or in shards. */
@Command(
    name = "sweep",
    subcommands = {SweepMergeCommand.class, SweepShowCommand.class},
    description = {
      "Evaluates thousands of designs: machines with edits as axes, numbers of nodes, switches, NCCL releases and"
          + " settings, for collectives or workloads. The rows are written to a folder; an interrupted run continues.",
      "SPEC is a YAML file: docs/sweep.md describes it."
    })
final class SweepCommand extends Subcommand {
  private static final Path ANSWER = Path.of("sweep");

  @Parameters(
      paramLabel = "SPEC",
      arity = "0..1",
      description = "The YAML of the sweep; files that it names are relative to its folder.")
  private @Nullable Path file;

  @Option(
      names = "--dry-run",
      description = "Count the variants and estimate the time; evaluate and write nothing.")
  private boolean dryRun;

  @Mixin private SweepRunOptions run = new SweepRunOptions();

  @Option(
      names = "--format",
      description = "Of --dry-run: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private TextOrJson format = TextOrJson.text;

  @Mixin private VersionOptions version = new VersionOptions();

  @Override
  public Integer call() {
    Path spec = file;
    if (spec == null) {
      throw new SettingException("expected SPEC, the YAML of a sweep (--help shows an example)");
    }
    int threads = run.threads();
    Shard shard = run.shard(environment());
    SweepPlan plan =
        new SweepPlan(
            SpecReader.read(spec, inputs()),
            SpecFiles.of(spec, inputs()),
            version.rules(),
            Json.TOPO_VERSION);
    plan.notes().forEach(note -> message("note: " + note));
    if (dryRun) {
      plan.tooLarge().ifPresent(why -> message("note: cannot be run: " + why));
      plan(null).write(ANSWER, rendered(plan(plan, threads), envelope(), format));
      return ExitStatus.DONE;
    }
    return run(plan, run.folder(spec), shard, threads);
  }

  private Answer plan(SweepPlan plan, int threads) {
    SweepRunner.Sample sample = SweepRunner.sample(plan, evaluator(), OptionWords::of);
    SweepNotes.of(sample).forEach(this::message);
    int sampled = sample.nanos().size();
    PlanOutput.Estimate estimate =
        new PlanOutput.Estimate(sample.meanSeconds() * plan.size() / threads, threads, sampled);
    return format == TextOrJson.text
        ? PlanOutput.text(plan, estimate)
        : PlanOutput.json(plan, estimate);
  }

  private int run(SweepPlan plan, Path folder, Shard shard, int threads) {
    List<Integer> chunks = shard.parts(plan.chunks());
    ResultFolder results =
        ResultFolder.make(
            folder, SweepInfo.of(plan, Json.TOPO_VERSION), plan.spec().source(), inputs());
    SweepRunner.Done done;
    try (Closeable lock = results.lock(shard.index(), shard.of())) {
      List<Integer> missing = results.missing(chunks);
      try (Task task = begin("part", missing.size())) {
        task.foresee();
        done =
            new SweepRunner(plan, evaluator(), OptionWords::of)
                .run(missing, results, threads, task::next);
      }
    } catch (IOException e) {
      throw OutputException.of("cannot write " + folder, e);
    }
    SweepNotes.of(plan, shard, chunks.size(), folder, done).forEach(this::message);
    if (shard.equals(Shard.ALL)) {
      reportFindings(results, plan.spec(), folder);
    }
    return done.rows() > 0 && done.failed() == done.rows() ? ExitStatus.NO : ExitStatus.DONE;
  }

  /** Prints the main finding over all parts, and the command that shows the details. */
  private void reportFindings(ResultFolder results, SweepSpec spec, Path folder) {
    message(SweepSentence.of(AnswerReader.read(results, spec.ranking())));
    message("topo sweep show %s compares the designs".formatted(folder));
  }
}
