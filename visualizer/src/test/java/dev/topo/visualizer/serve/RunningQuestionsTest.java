package dev.topo.visualizer.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class RunningQuestionsTest {
  private static final long LONG = Long.MAX_VALUE;

  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** A question that ends only if it is stopped. */
  private String endless() {
    started.countDown();
    try {
      new CountDownLatch(1).await();
      return "";
    } catch (InterruptedException e) {
      throw new CancellationException();
    } finally {
      stopped.countDown();
    }
  }

  private static int status(Runnable question) {
    return assertThrows(RefusedRequest.class, question::run).status();
  }

  @Test
  void theNextQuestionOfATabStopsTheFormerOne() throws InterruptedException {
    try (RunningQuestions questions = new RunningQuestions(LONG)) {
      CompletableFuture<Integer> first =
          CompletableFuture.supplyAsync(
              () -> status(() -> questions.answer("a", stage -> endless())));
      started.await();

      assertEquals("other tab", questions.answer("b", stage -> "other tab"));
      assertEquals(1, stopped.getCount());
      assertEquals("next", questions.answer("a", stage -> "next"));
      assertEquals(409, first.join());
      stopped.await();
    }
  }

  @Test
  void aQuestionIsStoppedOnRequest() throws InterruptedException {
    try (RunningQuestions questions = new RunningQuestions(LONG)) {
      CompletableFuture<Integer> first =
          CompletableFuture.supplyAsync(
              () -> status(() -> questions.answer("a", stage -> endless())));
      started.await();
      questions.cancel("a");

      assertEquals(409, first.join());
      stopped.await();
    }
  }

  @Test
  void whatIsDoneForAQuestionIsKnownWhileItRuns() throws InterruptedException {
    try (RunningQuestions questions = new RunningQuestions(LONG)) {
      CompletableFuture<Integer> first =
          CompletableFuture.supplyAsync(
              () ->
                  status(
                      () ->
                          questions.answer(
                              "a",
                              stage -> {
                                stage.enter("searching");
                                return endless();
                              })));
      started.await();
      assertEquals("searching", questions.stage("a"));
      assertEquals("", questions.stage("b"));
      questions.cancel("a");
      first.join();
      assertEquals("", questions.stage("a"));
    }
  }

  @Test
  void aQuestionThatTakesTooLongIsStopped() throws InterruptedException {
    try (RunningQuestions questions = new RunningQuestions(20)) {
      // One whose time is over before a thread takes it has nothing to stop.
      do {
        assertEquals(503, status(() -> questions.answer("a", stage -> endless())));
      } while (started.getCount() > 0);
      stopped.await();
    }
  }

  @Test
  void moreThanSomeQuestionsAreNotKeptWaiting() throws InterruptedException {
    try (RunningQuestions questions = new RunningQuestions(LONG)) {
      CountDownLatch refused = new CountDownLatch(1);
      for (int i = 0; i < 200; i++) {
        String tab = "tab " + i;
        Thread thread =
            new Thread(
                () -> {
                  if (status(() -> questions.answer(tab, stage -> endless())) == 503) {
                    refused.countDown();
                  }
                });
        thread.setDaemon(true);
        thread.start();
      }
      refused.await();
    }
  }

  @Test
  void whatAQuestionThrowsIsThrown() {
    try (RunningQuestions questions = new RunningQuestions(LONG)) {
      assertThrows(
          FieldException.class,
          () ->
              questions.answer(
                  "a",
                  stage -> {
                    throw FieldException.of("nodes", "expected 1");
                  }));
    }
  }
}
