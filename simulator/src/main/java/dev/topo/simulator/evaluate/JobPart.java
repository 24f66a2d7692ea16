package dev.topo.simulator.evaluate;

import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.MachineName;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A communicator of a job, or several equal ones of a split.
 *
 * @param colors the communicators of a split, in ascending order; empty for the whole job
 * @param files the files of its machines, in rank order; for an NVLink domain that of its first
 *     host
 * @param job its machines
 * @param domains the hosts joined to NVLink domains, in words; empty if none
 * @param whole the job that it is a part of
 * @param places for each of these communicators, the indexes of its machines in the whole job
 */
public record JobPart(
    List<Integer> colors,
    List<Path> files,
    Job job,
    String domains,
    Job whole,
    List<List<Integer>> places) {
  /** Copies the lists. */
  public JobPart {
    colors = List.copyOf(colors);
    files = List.copyOf(files);
    places = places.stream().map(List::copyOf).toList();
  }

  /** A whole job. */
  static JobPart whole(List<Path> files, Job job, String domains) {
    return new JobPart(
        List.of(),
        files,
        job,
        domains,
        job,
        List.of(IntStream.range(0, job.machines().size()).boxed().toList()));
  }

  /** A job of equal machines without files. */
  public static JobPart ofEqual(Machine machine, int nodes) {
    return of(Collections.nCopies(nodes, machine));
  }

  /** A job of machines without files, in rank order; equal ones should be the same object. */
  public static JobPart of(List<Machine> machines) {
    return alone(new Job(machines));
  }

  /** A job of machines without files. */
  public static JobPart alone(Job job) {
    return whole(List.of(), job, "");
  }

  /**
   * A communicator of some ranks of a job, without a colour and files.
   *
   * @param places the indexes of its machines in the whole job
   * @param machines these machines, each with the GPUs of the communicator
   */
  static JobPart some(Job whole, List<Integer> places, List<Machine> machines) {
    return new JobPart(List.of(), List.of(), new Job(machines), "", whole, List.of(places));
  }

  /** This part with the files of its machines, and with its NVLink domains in words. */
  JobPart named(List<Path> ofMachines, String joined) {
    return new JobPart(colors, ofMachines, job, joined, whole, places);
  }

  /** This whole job with other machines. */
  public JobPart with(Job machines) {
    return new JobPart(colors, files, machines, domains, machines, places);
  }

  /** Some of these communicators, by their colours. */
  public JobPart only(List<Integer> some) {
    return new JobPart(
        some,
        files,
        job,
        domains,
        whole,
        some.stream().map(color -> places.get(colors.indexOf(color))).toList());
  }

  /** The indexes of the machines of the first of these communicators in the whole job. */
  public List<Integer> machines() {
    return places.get(0);
  }

  /** The colours of the communicators: {@code 0-3}; empty for the whole job. */
  public String label() {
    return QuantityFormat.ranges(colors);
  }

  /** The name of its machines. */
  public String name() {
    return domains.isEmpty() ? MachineName.of(files) : domains;
  }

  /** The topologies of its machines, by their files. */
  public Map<Path, Topology> topologies() {
    Map<Path, Topology> topologies = new LinkedHashMap<>();
    for (int machine = 0; machine < files.size(); machine++) {
      topologies.putIfAbsent(files.get(machine), job.machines().get(machine).topology());
    }
    return topologies;
  }

  /** The name of the machine of a rank. */
  public String machineOf(int rank) {
    int machine = 0;
    for (int next = job.first().nRanks(); rank >= next; machine++) {
      next += job.machines().get(machine + 1).nRanks();
    }
    return MachineName.of(files.get(machine));
  }

  /** Label and name in one. */
  public String title() {
    return (colors.isEmpty() ? "" : "communicator " + label() + " · ") + name();
  }
}
