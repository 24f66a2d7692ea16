package dev.topo.model.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OrderedWorkTest {
  private static final int MANY = 1000;

  private static Iterator<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().iterator();
  }

  @Test
  void resultsAreInTheOrderOfTheInputs() {
    CountDownLatch second = new CountDownLatch(1);
    List<Integer> results = new ArrayList<>();
    OrderedWork.run(
        numbers(MANY),
        number -> {
          if (number == 1) {
            second.countDown();
          } else if (number == 0 && Runtime.getRuntime().availableProcessors() > 1) {
            await(second);
          }
          return number;
        },
        results::add);
    assertEquals(IntStream.range(0, MANY).boxed().toList(), results);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void fewInputsAreTakenAhead() {
    AtomicInteger taken = new AtomicInteger();
    AtomicInteger handedOn = new AtomicInteger();
    int most = 8 * Runtime.getRuntime().availableProcessors();
    OrderedWork.run(
        IntStream.range(0, MANY).peek(number -> taken.incrementAndGet()).boxed().iterator(),
        number -> number,
        number -> assertTrue(taken.get() - handedOn.getAndIncrement() <= most + 1));
    assertEquals(MANY, handedOn.get());
  }

  @Test
  void theFirstFailureInOrderIsThrownAsItIs() {
    List<Integer> results = new ArrayList<>();
    IllegalArgumentException thrown =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                OrderedWork.run(
                    numbers(MANY),
                    number -> {
                      if (number % 5 == 4) {
                        throw new IllegalArgumentException("number " + number);
                      }
                      return number;
                    },
                    results::add));
    assertEquals("number 4", thrown.getMessage());
    assertEquals(List.of(0, 1, 2, 3), results);
  }
}
