package dev.topo.hw.run;

import dev.topo.model.job.SettingException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the variables that launchers set for their processes: Open MPI, launchers with PMI (MPICH,
 * Intel MPI), torchrun and Slurm's srun. They are tried in this order: mpirun may run inside a
 * Slurm job.
 */
public final class LauncherReader {
  private static final String MEETING_POINT = "NCCL_COMM_ID";
  private static final int FIRST_PORT = 20_000;
  private static final int PORTS = 12_000;
  private static final int LAST_PORT = 65_535;

  private static final List<Launcher> LAUNCHERS =
      List.of(
          new Launcher(
              "OMPI_COMM_WORLD_RANK",
              "OMPI_COMM_WORLD_SIZE",
              "OMPI_COMM_WORLD_LOCAL_RANK",
              LauncherReader::onOneHost),
          new Launcher("PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", LauncherReader::onOneHost),
          new Launcher("RANK", "WORLD_SIZE", "LOCAL_RANK", LauncherReader::besideTorchStore),
          // Only srun sets this size; the batch script itself has one process.
          new Launcher(
              "SLURM_PROCID",
              "SLURM_STEP_NUM_TASKS",
              "SLURM_LOCALID",
              LauncherReader::onFirstSlurmHost));

  private interface MeetingPoint {
    Optional<String> of(Map<String, String> environment, int size, String address);
  }

  /** Variables of a launcher. */
  private record Launcher(
      String index, String size, String localIndex, MeetingPoint meetingPoint) {}

  private LauncherReader() {}

  /**
   * Launch of this process; empty without a launcher, or if it is the only process.
   *
   * @param address address of this host, used if all processes are on it. NCCL prefers the network
   *     interface of the rendezvous address
   * @throws SettingException if the variables are inconsistent, or no rendezvous address is known
   */
  public static Optional<LaunchedProcess> read(Map<String, String> environment, String address) {
    for (Launcher launcher : LAUNCHERS) {
      if (environment.containsKey(launcher.index()) && environment.containsKey(launcher.size())) {
        int size = number(environment, launcher.size());
        if (size == 1) {
          return Optional.empty();
        }
        return Optional.of(launched(launcher, size, environment, address));
      }
    }
    return Optional.empty();
  }

  private static LaunchedProcess launched(
      Launcher launcher, int size, Map<String, String> environment, String address) {
    int index = below(size, environment, launcher.index(), launcher);
    if (!environment.containsKey(launcher.localIndex())) {
      throw new SettingException(
          "%s is set, but not %s, which selects the GPUs of the host"
              .formatted(launcher.index(), launcher.localIndex()));
    }
    Optional<String> point =
        Optional.ofNullable(environment.get(MEETING_POINT))
            .or(() -> launcher.meetingPoint().of(environment, size, address));
    if (point.isEmpty()) {
      throw new SettingException(
          ("%1$s processes on more than one host need %2$s=ADDRESS:PORT, an address of the host of"
                  + " rank 0 and a free port there, as in mpirun -x %2$s=10.0.0.1:23456")
              .formatted(size, MEETING_POINT));
    }
    int localIndex = below(size, environment, launcher.localIndex(), launcher);
    return new LaunchedProcess(index, size, localIndex, point);
  }

  /** Index of a process on its host, checked to be below the size. */
  private static int below(
      int size, Map<String, String> environment, String name, Launcher launcher) {
    int number = number(environment, name);
    if (number < 0 || number >= size) {
      throw new SettingException(
          "%s=%s with %s=%s: expected a number below the size"
              .formatted(name, number, launcher.size(), size));
    }
    return number;
  }

  private static int number(Map<String, String> environment, String name) {
    String value = environment.getOrDefault(name, "");
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new SettingException(name + "=" + value + ": expected a number");
    }
  }

  /**
   * Rendezvous address if all processes are on one host, with a port derived from the job's number.
   */
  private static Optional<String> onOneHost(
      Map<String, String> environment, int size, String address) {
    for (String name : List.of("OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS")) {
      if (environment.containsKey(name) && number(environment, name) == size) {
        String job = "";
        for (String part : List.of("PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_FD")) {
          job += environment.getOrDefault(part, "");
        }
        return Optional.of(address + ":" + port(job));
      }
    }
    return Optional.empty();
  }

  /** Rendezvous address at the port after the one of torchrun's store. */
  private static Optional<String> besideTorchStore(
      Map<String, String> environment, int size, String address) {
    String master = environment.get("MASTER_ADDR");
    if (master == null || !environment.containsKey("MASTER_PORT")) {
      return Optional.empty();
    }
    String host = master.contains(":") ? "[" + master + "]" : master;
    int port = number(environment, "MASTER_PORT");
    if (port < 1 || port >= LAST_PORT) {
      throw new SettingException(
          "MASTER_PORT=%s: expected a port from 1 to %s, as the processes meet at the next one"
              .formatted(port, LAST_PORT - 1));
    }
    return Optional.of(host + ":" + (port + 1));
  }

  private static Optional<String> onFirstSlurmHost(
      Map<String, String> environment, int size, String address) {
    String hosts = environment.get("SLURM_STEP_NODELIST");
    if (hosts == null || hosts.isEmpty()) {
      return Optional.empty();
    }
    String job =
        environment.getOrDefault("SLURM_JOB_ID", "") + "." + environment.get("SLURM_STEP_ID");
    return Optional.of(firstHost(hosts) + ":" + port(job));
  }

  /** First host in a list such as {@code node[03-07,12],login1}. */
  static String firstHost(String hosts) {
    int bracket = hosts.indexOf('[');
    int comma = hosts.indexOf(',');
    if (bracket < 0 || comma >= 0 && comma < bracket) {
      return comma < 0 ? hosts : hosts.substring(0, comma);
    }
    int close = hosts.indexOf(']', bracket);
    if (close < 0) {
      throw new SettingException("SLURM_STEP_NODELIST=" + hosts + ": expected ] after [");
    }
    String first = hosts.substring(bracket + 1, close).split("[-,]", 2)[0];
    int end = hosts.indexOf(',', close);
    String tail = hosts.substring(close + 1, end < 0 ? hosts.length() : end);
    return hosts.substring(0, bracket) + first + tail;
  }

  private static int port(String job) {
    return FIRST_PORT + Math.floorMod(job.hashCode(), PORTS);
  }
}
