package dev.topo.reference;

import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.search.connect.Connection;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Tuner.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Files that NCCL did not dump, as it loads them: the ranks join what each keeps of the file. The
 * answers have fewer facts in their first lines than other sets.
 */
class JoinedReferenceTest {
  private static List<ReferenceCase> cases() {
    return ReferenceSets.joined();
  }

  private static Job job(ReferenceCase reference) {
    return Job.ofEqual(new Machine(reference.topology(), NcclSettings.DEFAULTS), 2);
  }

  @Test
  void graphs() {
    GraphReferenceTest.compare("joined", cases(), NcclSettings.DEFAULTS, 2);
  }

  @Test
  void connections() {
    Agreement agreement = new Agreement("connect n2 joined");
    for (ReferenceCase reference : cases()) {
      List<String> found = new ConnectText(Connection.of(job(reference))).lines();
      String first =
          found.get(0).replaceFirst(" localRanks \\S+", "").replaceFirst(" isAllNvlink .*", "");
      agreement.addEqual(
          reference.name(),
          String.join("\n", reference.lines("connect.n2.txt")),
          Stream.concat(
                  Stream.of(first),
                  found.stream().filter(line -> line.matches("# Ring .*|Channel .*")))
              .collect(Collectors.joining("\n")));
    }
    agreement.finish();
  }

  @Test
  void choices() {
    Agreement agreement = new Agreement("tuning n2 joined");
    for (ReferenceCase reference : cases()) {
      TuningAnswers answers = TuningAnswers.parse(reference.lines("tuning.n2.txt"));
      Communicator communicator = Communicator.of(job(reference));
      TuningAnswers withoutCalls =
          new TuningAnswers(answers.header(), answers.threads(), answers.model(), List.of());
      List<String> differences =
          new ArrayList<>(new TuningCase(communicator, withoutCalls).differences());
      differences.removeIf(line -> line.matches("(?s)expected \\w+ null\n.*"));
      for (TuningAnswers.Call call : answers.choices()) {
        Optional<Decision.Choice> found =
            communicator
                .tuner()
                .decide(CollectiveCall.of(call.collective(), call.sizeBytes()).exact())
                .choice();
        if (!found.equals(call.choice())) {
          differences.add("expected " + call + "\n     was " + found);
        }
      }
      agreement.add(reference.name(), String.join("\n", differences));
    }
    agreement.finish();
  }
}
