package dev.topo.simulator.variant;

import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.io.SpecField;
import dev.topo.model.job.Job;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingCatalog.SettingScope;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.SpecException;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Protocol;
import dev.topo.search.explain.Alternatives;
import dev.topo.search.explain.ChoiceExplainer;
import dev.topo.search.explain.DeviceExplainer;
import dev.topo.search.explain.Explanation;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.rules.ReleaseRules.NcclRelease;
import dev.topo.search.rules.UnknownReleaseException;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Explains why NCCL does not use the alternatives of {@code --why-not}. */
public final class WhyNot {
  private static final String EXPECTED =
      "expected algorithm=NAME, protocol=NAME, both with a comma between, channels=N,"
          + " crossNic=0..2, pxn=0..1, nccl=VERSION, ring=DEVS, nic=DEV:PORT or NCCL_NAME=VALUE";

  private static final Set<SettingScope> TRIED =
      Set.of(SettingScope.PATHS, SettingScope.SEARCH, SettingScope.CONNECT);

  private static final String SETTING = "NCCL_";

  private static final Set<String> PAIR = Set.of("algorithm", "protocol");

  private static final Set<String> OF_ONE_MACHINE =
      Set.of("channels", "crossNic", "pxn", "ring", "nic");

  private final JobEvaluator evaluator;
  private final Communicator communicator;
  private final CollectiveCall call;
  private final NcclSettings settings;
  private final ReleaseRules rules;
  private final Function<NcclProfile, JobRequest> requests;
  private final Alternatives alternatives;

  /**
   * Answers for a call on a communicator with settings.
   *
   * @param evaluator evaluates other jobs
   * @param rules the rules of the communicator
   * @param requests the job with topologies built by the rules of another release
   */
  public WhyNot(
      JobEvaluator evaluator,
      Communicator communicator,
      CollectiveCall call,
      NcclSettings settings,
      ReleaseRules rules,
      Function<NcclProfile, JobRequest> requests) {
    this.evaluator = evaluator;
    this.communicator = communicator;
    this.call = call;
    this.settings = settings;
    this.rules = rules;
    this.requests = requests;
    this.alternatives = new Alternatives(communicator, this::asSeen);
  }

  /**
   * Connects other machines, which are already those that NCCL sees: NCCL_TOPO_FILE is not read
   * again.
   */
  private Communicator asSeen(Job job) {
    return evaluator
        .evaluate(
            JobPart.alone(job),
            communicator.profile(),
            Optional.of(job.first()),
            JobRequest.DEFAULT_GPUS_PER_PROCESS)
        .communicator();
  }

  /** True if the answer for an alternative concerns a single machine of a job. */
  public static boolean isAboutOneMachine(String text) {
    return OF_ONE_MACHINE.contains(text.split("=", -1)[0]) || text.startsWith(SETTING);
  }

  /** The answer for one alternative. */
  public Explanation answer(String text) {
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw wrong(text, EXPECTED);
    }
    String key = text.substring(0, equals);
    String value = text.substring(equals + 1);
    return switch (key) {
      case "algorithm", "protocol" -> pair(text);
      case "channels" -> {
        String number = number(text, value, 1, ChannelGraph.MAX_CHANNELS);
        yield alternatives.setting(
            text, Map.of("NCCL_MIN_NCHANNELS", number, "NCCL_MAX_NCHANNELS", number), call);
      }
      case "crossNic" ->
          alternatives.setting(text, Map.of("NCCL_CROSS_NIC", number(text, value, 0, 2)), call);
      case "pxn" -> {
        String disable = number(text, value, 0, 1).equals("0") ? "1" : "0";
        yield alternatives.setting(text, Map.of("NCCL_PXN_DISABLE", disable), call);
      }
      case "nccl" -> nccl(text, value);
      case "ring" -> ring(text, value);
      case "nic" -> port(text, value);
      default -> {
        if (!key.startsWith(SETTING)) {
          throw wrong(text, EXPECTED);
        }
        yield setting(text, key, value);
      }
    };
  }

  private Explanation setting(String text, String name, String value) {
    NcclSettings tried = NcclSettings.of(Map.of(name, value));
    if (tried.names(TRIED).isEmpty() && !NcclSettings.MERGING.contains(name)) {
      throw wrong(text, "expected a setting of paths, search, channels or merged ports");
    }
    return alternatives.setting(text, tried.values(), call);
  }

  private Explanation nccl(String text, String value) {
    ReleaseRules other;
    try {
      other = ReleaseRules.of(NcclRelease.parse(value));
    } catch (UnknownReleaseException e) {
      throw new SpecException(SpecField.WHY_NOT, e, " %s: %s", text, e.text());
    }
    return new OtherVersion(evaluator, rules, other, requests, call).explain("why not " + text);
  }

  private Explanation ring(String text, String value) {
    List<Integer> devices =
        Stream.of(value.split(",", -1)).map(dev -> device(text, dev.strip())).toList();
    try {
      return alternatives.ring(devices);
    } catch (IllegalArgumentException e) {
      throw new SpecException(SpecField.WHY_NOT, e, " %s: %s", text, e.getMessage());
    }
  }

  private static String number(String text, String value, int least, int most) {
    if (!value.matches("\\d{1,3}")
        || Integer.parseInt(value) < least
        || Integer.parseInt(value) > most) {
      throw wrong(text, "expected a number from " + least + " to " + most);
    }
    return value;
  }

  private Explanation port(String text, String value) {
    int colon = value.indexOf(':');
    if (colon < 0) {
      throw wrong(text, "expected nic=DEV:PORT, as in nic=3:mlx5_1");
    }
    DeviceExplainer devices = new DeviceExplainer(communicator.connection().domain(0), settings);
    int dev = device(text, value.substring(0, colon));
    try {
      return alternatives.port(devices, dev, value.substring(colon + 1));
    } catch (IllegalArgumentException e) {
      throw new SpecException(SpecField.WHY_NOT, e, " %s: %s", text, e.getMessage());
    }
  }

  private static int device(String text, String dev) {
    if (!dev.matches("\\d{1,4}")) {
      throw wrong(text, "'" + dev + "' is no device number, as in ring=0,2,1,3");
    }
    return Integer.parseInt(dev);
  }

  private Explanation pair(String text) {
    Map<String, String> parts = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      String[] nameAndValue = part.split("=", 2);
      if (nameAndValue.length < 2
          || !PAIR.contains(nameAndValue[0])
          || parts.put(nameAndValue[0], nameAndValue[1]) != null) {
        throw wrong(text, EXPECTED);
      }
    }
    Optional<Protocol> protocol =
        Optional.ofNullable(parts.get("protocol"))
            .map(
                name ->
                    Protocol.ofLabel(name)
                        .orElseThrow(() -> unknown(text, Protocol.values(), Protocol::label)));
    ChoiceExplainer choices = new ChoiceExplainer(communicator);
    String algorithm = parts.get("algorithm");
    if (algorithm != null) {
      return choices.whyNot(
          call,
          Algorithm.ofLabel(algorithm)
              .orElseThrow(() -> unknown(text, Algorithm.values(), Algorithm::label)),
          protocol);
    }
    return choices.whyNot(call, protocol.orElseThrow());
  }

  private static <E> SettingException unknown(String text, E[] values, Function<E, String> label) {
    return wrong(
        text,
        Arrays.stream(values).map(label).collect(Collectors.joining(", ", "expected one of ", "")));
  }

  private static SettingException wrong(String text, String what) {
    return new SpecException(SpecField.WHY_NOT, " %s: %s", text, what);
  }
}
