package dev.topo.search.rules;

import dev.topo.model.io.ResourceTable;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingCatalog;
import dev.topo.model.job.SettingCatalog.NcclSetting.Kind;
import dev.topo.model.job.SettingCatalog.SettingScope;
import dev.topo.model.job.SettingException;
import dev.topo.search.rules.LaunchRules.BufferRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The versions that have a setting, if not all do; from the table {@code settings.txt}. */
public final class SettingVersions {
  private static final List<String> VERSIONS = NcclProfile.versions();
  private static final Map<String, Range> BY_NAME = read();

  /** The versions with a setting, by index among all versions. */
  private record Range(int first, int last) {}

  private SettingVersions() {}

  private static Map<String, Range> read() {
    Map<String, Range> ranges = new TreeMap<>();
    for (String line : ResourceTable.lines(SettingVersions.class, "settings.txt")) {
      String[] words = line.split(" +");
      ranges.put(
          words[0],
          new Range(
              VERSIONS.indexOf(words[1]),
              words.length > 2 ? VERSIONS.indexOf(words[2]) : VERSIONS.size() - 1));
    }
    return ranges;
  }

  /**
   * Why a version ignores a setting: {@code came with 2.23.4}; empty if the version has the
   * setting, or no version does.
   */
  public static Optional<String> absence(String name, NcclProfile profile) {
    Range range = BY_NAME.get(name);
    int index = VERSIONS.indexOf(profile.version());
    if (range == null || index < 0 || (index >= range.first && index <= range.last)) {
      return Optional.empty();
    }
    return Optional.of(
        index < range.first
            ? "came with " + VERSIONS.get(range.first)
            : "was in NCCL up to " + VERSIONS.get(range.last));
  }

  /** The settings that a version has. */
  static NcclSettings existing(NcclSettings settings, NcclProfile profile) {
    Map<String, String> values = new TreeMap<>(settings.values());
    values.keySet().removeIf(name -> absence(name, profile).isPresent());
    return values.size() == settings.values().size() ? settings : NcclSettings.of(values);
  }

  /** Notes on settings that have no effect or whose value NCCL changes, one sentence each. */
  public static final class SettingNotes {
    /** NCCL's value for "not set". */
    private static final int UNSET = -2;

    /** Threads of a warp. */
    private static final int WARP = 32;

    private static final List<String> FEWEST_CHANNELS =
        List.of("NCCL_MIN_NCHANNELS", "NCCL_MIN_NRINGS");
    private static final List<String> MOST_CHANNELS =
        List.of("NCCL_MAX_NCHANNELS", "NCCL_MAX_NRINGS");
    private static final List<String> CTAS = List.of("NCCL_MIN_CTAS", "NCCL_MAX_CTAS");

    private SettingNotes() {}

    /**
     * Notes on numbers that NCCL corrects without failing ({@code ncclMinNchannels} and {@code
     * ncclMaxNchannels}, {@code nccl:src/graph/connect.cc}; {@code getNthreads}, {@code
     * nccl:src/graph/tuning.cc}; {@code envConfigOverride}, {@code nccl:src/init.cc}; {@code
     * ncclTopoCompute}, {@code nccl:src/graph/search.cc}; 2.19.3 and 2.28.9).
     */
    public static List<String> corrected(NcclSettings settings, NcclProfile profile) {
      List<String> notes = new ArrayList<>();
      LaunchRules launch = profile.launch();
      int max = profile.connect().maxChannels;
      channels(settings, FEWEST_CHANNELS, 0, max, notes);
      channels(settings, MOST_CHANNELS, 1, max, notes);
      threads(settings, "NCCL_NTHREADS", launch.minThreads, launch.simpleThreads, notes);
      threads(settings, "NCCL_LL128_NTHREADS", launch.ll128MinThreads, launch.ll128Threads, notes);
      for (String name : CTAS) {
        int ctas = settings.integer(name, 1);
        String expected = "1 to " + max;
        if (ctas > max) {
          notes.add(note(name, ctas, String.valueOf(max), expected));
        } else if (ctas < 1) {
          notes.add(ignored(name, ctas, expected));
        }
      }
      int crossNic = settings.crossNic();
      if (crossNic < 0 || crossNic > 2) {
        notes.add(
            note("NCCL_CROSS_NIC", crossNic, "0 where it searches for channels", "0, 1 or 2"));
      }
      return notes;
    }

    private static void channels(
        NcclSettings settings, List<String> names, int min, int max, List<String> notes) {
      names.stream()
          .filter(name -> settings.integer(name, UNSET) != UNSET)
          .findFirst()
          .ifPresent(
              name -> {
                int stated = settings.integer(name, UNSET);
                int taken = Math.max(min, Math.min(max, stated));
                if (taken != stated) {
                  String expected = "%s to %s".formatted(min, max);
                  notes.add(note(name, stated, String.valueOf(taken), expected));
                }
              });
    }

    private static void threads(
        NcclSettings settings, String name, int min, int max, List<String> notes) {
      int stated = settings.integer(name, UNSET);
      if (stated == UNSET) {
        return;
      }
      int inRange = stated % WARP == 0 ? Math.max(min, Math.min(max, stated)) : max;
      String expected = "a multiple of %s from %s to %s".formatted(WARP, min, max);
      if (stated < 1) {
        notes.add(ignored(name, stated, expected));
      } else if (inRange != stated) {
        notes.add(note(name, stated, String.valueOf(inRange), expected));
      }
    }

    private static String ignored(String name, int stated, String expected) {
      return "note: NCCL ignores %s=%s, expected %s".formatted(name, stated, expected);
    }

    private static String note(String name, int stated, String taken, String expected) {
      return "note: NCCL takes %s=%s for %s, expected %s".formatted(name, stated, taken, expected);
    }

    /** Notes on settings that affect no result. */
    public static List<String> withoutInfluence(NcclSettings settings) {
      return settings.names(Set.of(SettingScope.NO_INFLUENCE)).stream()
          .map(name -> "note: " + name + " ignored: no effect on what topo models")
          .toList();
    }

    /** Notes on settings that a version lacks and therefore ignores. */
    public static List<String> absent(NcclSettings settings, ReleaseRules rules) {
      return settings.values().keySet().stream()
          .flatMap(
              name ->
                  SettingVersions.absence(name, rules.profile())
                      .map(
                          why ->
                              "note: %s ignored: NCCL %s has no such setting, it %s"
                                  .formatted(name, rules.named(), why))
                      .stream())
          .toList();
    }
  }

  /**
   * Values of settings with which NCCL does not work: it divides by them, rounds them to 0, or
   * overflows 32 bits with them, which is undefined in C. NCCL itself checks none of them ({@code
   * computeBuffSizes} and {@code ncclP2pSchedule}, {@code nccl:src/init.cc}; {@code
   * ncclTopoComputeP2pChannels}, {@code nccl:src/graph/paths.cc}; {@code addP2pToPlan} and {@code
   * calcCollChunking}, {@code nccl:src/enqueue.cc}).
   */
  static final class SettingLimits {
    /** Bytes of a line of LL, or that a thread moves at once with Simple. */
    private static final int LEAST_STEP = 16;

    /** The bytes that LL128 moves at once, with its flags ({@code ncclProtoGrainSize}). */
    private static final int LEAST_LL128_STEP = 2048;

    /** The bytes that chunks of Simple are multiples of ({@code ncclProtoGrainSize}). */
    private static final int LEAST_NVLS_CHUNK = 512;

    private static final int UNSET = -2;
    private static final String NO_STEP = "nothing fits into a step of it";
    private static final String NO_CHUNK = "NCCL rounds it down to 0 bytes and divides by it";
    private static final List<String> CHUNKS =
        List.of("NCCL_P2P_NET_CHUNKSIZE", "NCCL_P2P_NVL_CHUNKSIZE", "NCCL_P2P_PCI_CHUNKSIZE");

    private SettingLimits() {}

    /**
     * Checks the settings of a user that a release has.
     *
     * @throws SettingException for one that is out of its range
     */
    static void check(NcclSettings settings, BufferRules buffers) {
      settings.values().forEach(SettingLimits::checkBits);
      checkSize(settings, "NCCL_BUFFSIZE", LEAST_STEP * buffers.steps, NO_STEP);
      checkSize(settings, "NCCL_LL_BUFFSIZE", LEAST_STEP * buffers.steps, NO_STEP);
      checkSize(settings, "NCCL_LL128_BUFFSIZE", LEAST_LL128_STEP * buffers.steps, NO_STEP);
      checkSize(settings, "NCCL_NVLS_CHUNKSIZE", LEAST_NVLS_CHUNK, NO_CHUNK);
      checkSize(settings, "NCCL_NVLSTREE_MAX_CHUNKSIZE", LEAST_NVLS_CHUNK, NO_CHUNK);
      for (String chunk : CHUNKS) {
        checkMost(
            settings, chunk, Integer.MAX_VALUE / buffers.steps, "as NCCL multiplies it in 32 bits");
      }
      checkMost(
          settings,
          "NCCL_MIN_P2P_NCHANNELS",
          Integer.highestOneBit(Integer.MAX_VALUE),
          "as NCCL rounds it up to a power of two in 32 bits");
      checkLeast(settings, "NCCL_P2P_SCHEDULE_GROUP_SIZE", 1);
      checkLeast(settings, "NCCL_P2P_PER_CHANNEL_NET_BW", 1);
      checkLeast(settings, "NCCL_CHUNK_SIZE", 0);
    }

    private static void checkBits(String name, String value) {
      if (SettingCatalog.find(name).orElseThrow().kind() != Kind.INTEGER) {
        return;
      }
      NcclSettings settings = NcclSettings.of(Map.of(name, value));
      int kept = settings.integer(name, 0);
      if (kept != settings.longInteger(name, 0)) {
        throw new SettingException(
            "setting %s=%s: NCCL keeps 32 bits of it, which are %s; expected a number from %s to %s"
                .formatted(name, value, kept, Integer.MIN_VALUE, Integer.MAX_VALUE));
      }
    }

    private static void checkSize(NcclSettings settings, String name, int min, String why) {
      int size = settings.integer(name, UNSET);
      if (size != UNSET && size < min) {
        throw new SettingException(
            "%s=%s: %s, expected %s or more".formatted(name, size, why, min));
      }
    }

    private static void checkMost(NcclSettings settings, String name, int max, String why) {
      int value = settings.integer(name, 0);
      if (value > max) {
        throw new SettingException(
            "%s=%s: expected at most %s, %s".formatted(name, value, max, why));
      }
    }

    private static void checkLeast(NcclSettings settings, String name, int min) {
      int value = settings.integer(name, min);
      if (value < min) {
        throw new SettingException("%s=%s: expected a number from %s".formatted(name, value, min));
      }
    }
  }
}
