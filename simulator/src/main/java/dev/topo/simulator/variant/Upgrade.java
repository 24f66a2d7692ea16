package dev.topo.simulator.variant;

import dev.topo.inspect.difference.Fleet;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.SpecException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.memory.JobMemory;
import dev.topo.simulator.variant.DiffJob.DiffMonitor;
import dev.topo.simulator.variant.FleetUpgrade.Group;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Evaluates jobs by the rules of two releases of NCCL.
 *
 * @param from the rules before
 * @param to the rules after
 */
public record Upgrade(ReleaseRules from, ReleaseRules to, JobEvaluator evaluator) {
  /** A job whose topologies are built by the rules of each version. */
  @FunctionalInterface
  public interface VersionedJob {
    /**
     * The job with its calls by the rules of a version.
     *
     * @throws TopologyFormatException if a file cannot be used
     */
    JobRequest by(NcclProfile profile);
  }

  /** A job under one set of rules, or the error of its files. */
  private record Side(
      JobAnswer answer,
      int nodes,
      Optional<JobMemory> memory,
      Optional<TopologyFormatException> fault) {
    static Side failed(JobFailure failure, int nodes) {
      return new Side(JobAnswer.failed(failure), nodes, Optional.empty(), Optional.empty());
    }
  }

  /**
   * The changes for a job.
   *
   * @param name the machines of the job in words
   * @throws TopologyFormatException if its files cannot be used by either rules
   */
  public UpgradeResult of(String name, VersionedJob job) {
    return of(name, job, job);
  }

  /** The changes for a job that has other machines after the upgrade. */
  UpgradeResult of(String name, VersionedJob job, VersionedJob jobAfter) {
    Side old = side(job, from.profile());
    Side now = side(jobAfter, to.profile());
    if (old.fault.isPresent() && now.fault.isPresent()) {
      throw old.fault.get();
    }
    JobChange change =
        old.answer.isUnknown()
                || now.answer.isUnknown()
                || (old.answer.failure().isPresent() && now.answer.failure().isEmpty())
            ? JobChange.NONE
            : JobChange.of(old.answer, now.answer);
    return new UpgradeResult(
        name,
        Math.max(old.nodes, now.nodes),
        from,
        to,
        old.answer,
        now.answer,
        change,
        old.memory,
        now.memory,
        UpgradePoint.of(old.answer, now.answer, change));
  }

  /**
   * The changes for the communicators of a job by label; the label of a whole job is empty.
   *
   * @param name the machines of the job in words
   * @param isSplit whether the job has several communicators
   * @param before the communicators by the rules of a version
   * @param after those of the job after the upgrade
   * @param requests a communicator with its calls by the rules of a version
   */
  public Map<String, UpgradeResult> ofParts(
      String name,
      boolean isSplit,
      Function<NcclProfile, List<JobPart>> before,
      Function<NcclProfile, List<JobPart>> after,
      BiFunction<JobPart, NcclProfile, JobRequest> requests) {
    return isSplit
        ? ofSplit(before, after.apply(to.profile()), requests)
        : Map.of(
            "",
            of(
                name,
                profile -> requests.apply(before.apply(profile).get(0), profile),
                profile -> requests.apply(after.apply(profile).get(0), profile)));
  }

  private Map<String, UpgradeResult> ofSplit(
      Function<NcclProfile, List<JobPart>> before,
      List<JobPart> now,
      BiFunction<JobPart, NcclProfile, JobRequest> requests) {
    Map<String, UpgradeResult> results = new LinkedHashMap<>();
    try {
      for (List<JobPart> pair : pairs(before.apply(from.profile()), now)) {
        results.put(
            pair.get(1).label(),
            of(
                pair.get(1).title(),
                profile -> requests.apply(pair.get(0), profile),
                profile -> requests.apply(pair.get(1), profile)));
      }
    } catch (TopologyFormatException e) {
      // The files are unusable by the rules of the former release: this is the change.
      for (JobPart part : now) {
        results.put(
            part.label(),
            of(
                part.title(),
                profile -> {
                  throw e;
                },
                profile -> requests.apply(part, profile)));
      }
    }
    return results;
  }

  /**
   * Pairs of communicators before and after the upgrade that are equal in both. Equality may depend
   * on the release, whose rules determine the devices of a machine.
   *
   * @throws SpecException if a communicator is only in one of the splits
   */
  static List<List<JobPart>> pairs(List<JobPart> before, List<JobPart> after) {
    List<List<Communicators<JobPart>>> jobs =
        Stream.of(before, after)
            .map(parts -> parts.stream().map(p -> new Communicators<>(p.colors(), p)).toList())
            .toList();
    SortedSet<Integer> old = Communicators.colors(jobs.get(0));
    SortedSet<Integer> now = Communicators.colors(jobs.get(1));
    if (!old.equals(now)) {
      throw new SpecException(
          SpecField.SPLIT, ": communicators %s before, %s after: expected the same", old, now);
    }
    return Communicators.alike(jobs).stream()
        .map(
            alike ->
                alike.value().stream()
                    .map(part -> part.orElseThrow().only(alike.colors()))
                    .toList())
        .toList();
  }

  private Side side(VersionedJob job, NcclProfile profile) {
    try {
      return side(job.by(profile));
    } catch (TopologyFormatException e) {
      return new Side(
          JobAnswer.failed(new JobFailure(JobFailure.Kind.NCCL, String.valueOf(e.getMessage()))),
          0,
          Optional.empty(),
          Optional.of(e));
    } catch (UnusableTopologyException e) {
      return Side.failed(JobFailure.of(e), 0);
    }
  }

  private Side side(JobRequest request) {
    int nodes = request.job().machines().size();
    try {
      JobResult result = evaluator.evaluate(request);
      return new Side(
          JobAnswer.of(result), nodes, JobMemory.of(result, request.calls()), Optional.empty());
    } catch (UnusableTopologyException e) {
      return Side.failed(JobFailure.of(e), nodes);
    }
  }

  /**
   * The changes for each node of a fleet, in a job of equal nodes. Equal machines are evaluated
   * once; groups with the same changes are one.
   *
   * @param job the job of a file
   */
  public FleetUpgrade ofFleet(
      Optional<Path> folder, Fleet fleet, Function<Path, VersionedJob> job, DiffMonitor monitor) {
    List<Group> groups = new ArrayList<>();
    List<Fleet.Unreadable> unreadable = new ArrayList<>(fleet.unreadable());
    try (DiffMonitor.Task task = monitor.begin("kind of node", fleet.groups().size())) {
      for (Fleet.Group kind : fleet.groups()) {
        task.next();
        Path first = kind.files().get(0);
        try {
          Group.add(groups, kind.files(), of(first.toString(), job.apply(first)));
        } catch (TopologyFormatException e) {
          kind.files()
              .forEach(
                  file -> unreadable.add(new Fleet.Unreadable(file, file + ": " + e.reason())));
        }
      }
    }
    return new FleetUpgrade(folder, fleet.size(), from, to, groups, unreadable);
  }
}
