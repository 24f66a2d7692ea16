package dev.topo.cli;

import dev.topo.cli.option.InputMachines;
import dev.topo.cli.option.InputOptions;
import dev.topo.cli.option.JobOptions.JobInput;
import dev.topo.cli.option.SettingOptions;
import dev.topo.cli.option.VersionOptions;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResolver.ResolvedJob;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.RankLayout;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** A command that draws what is predicted for jobs, alone or beside what was measured of them. */
abstract class ChartedJobCommand extends Subcommand {
  @Mixin private ChartOptions predictions = new ChartOptions();
  @Mixin private InputOptions input = new InputOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private SettingOptions setting = new SettingOptions();

  private @Nullable CaveatCollector caveats;

  ChartOptions predictions() {
    return predictions;
  }

  VersionOptions version() {
    return version;
  }

  NcclSettings settings() {
    return setting.forJob(environment(), version.rules(), streams());
  }

  private InputMachines machines() {
    return input.machines(inputs(), streams());
  }

  /** Caveats of the predictions. */
  CaveatCollector caveats() {
    if (caveats == null) {
      caveats = machines().caveats(version::rules);
    }
    return caveats;
  }

  /** The machines and communicators of a job. */
  ResolvedJob resolved(RankLayout layout, NcclSettings settings) {
    JobInput input = new JobInput(machines(), settings, version.profile(), streams());
    return predictions.job().resolver(input).resolve(input.spec(layout));
  }

  /** Adds the caveats of predictions for a job. */
  void note(ResolvedJob resolved, NcclSettings settings) {
    predictions
        .job()
        .addTo(caveats(), resolved, true, predictions.evaluation().withoutModelled(settings));
  }

  /** Predicts a communicator; the GPUs of a process are those of its measurements. */
  JobResult evaluated(JobPart part, Optional<MeasuredRun> run) {
    Optional<Machine> actual =
        Optional.ofNullable(predictions.actual())
            .map(file -> machines().actual(file, part, version.profile()));
    JobRequest request =
        predictions
            .evaluation()
            .request(
                version.profile(),
                InputMachines.declared(part, actual, version.profile(), caveats()),
                Optional.empty(),
                run,
                actual,
                inputs(),
                streams());
    JobResult result = evaluator().evaluate(request).requireKnownBuffers();
    caveats().add(CaveatFinder.ofWindows(version.profile(), List.of(request.context().buffers())));
    if (result.predictor().calibration().isEmpty() && result.predictor().network().isEmpty()) {
      message(
          "note: not calibrated (%s): times predicted are those of NCCL's own model"
              .formatted(result.request().selectedCalibration().reason()));
    }
    return result;
  }
}
