package dev.topo.hw.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ThreadTeamTest {
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final ThreadTeam team = new ThreadTeam(2, Peers.ALONE);

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  @Test
  void allHaveTheSameAnswer() throws ExecutionException, InterruptedException {
    Future<Double> one = threads.submit(() -> team.member(0).average(1, Average.MAX));
    Future<Double> other = threads.submit(() -> team.member(1).average(3, Average.MAX));
    assertEquals(List.of(3.0, 3.0), List.of(one.get(), other.get()));
  }

  @Test
  void timesOfIterationsAreTheLongestOfAProcess() throws ExecutionException, InterruptedException {
    Peers withAnother =
        new Peers() {
          @Override
          public List<String> gather(String text) {
            return List.of(text, "9.0 0.5");
          }
        };
    ThreadTeam two = new ThreadTeam(2, withAnother);
    Future<IterationTimes> one = threads.submit(() -> two.member(0).gather(new double[] {1.5, 4}));
    Future<IterationTimes> other = threads.submit(() -> two.member(1).gather(new double[] {2, 3}));
    assertEquals(List.of(List.of(2.0, 4.0), List.of(9.0, 0.5)), one.get().processesUs());
    assertEquals(one.get(), other.get());
    assertEquals(List.of(9.0, 4.0), one.get().longestUs(0));
  }

  @Test
  void nobodyWaitsForAThreadThatIsGone() throws InterruptedException {
    Future<?> waiting = threads.submit(() -> team.member(0).meet());
    team.dissolve();
    ExecutionException early = assertThrows(ExecutionException.class, () -> waiting.get());
    assertEquals(ThreadTeam.Dissolved.class, early.getCause().getClass());
    assertThrows(ThreadTeam.Dissolved.class, () -> team.member(1).meet());
  }
}
