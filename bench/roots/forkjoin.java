import java.util.concurrent.RecursiveTask;
import java.util.concurrent.atomic.AtomicLong;

final class Roots extends RecursiveTask<Long> {
  private static final int CALLERS = 4, ROOT = 12;
  private final long n;

  Roots(long n) {
    this.n = n;
  }

  @Override
  protected Long compute() {
    return fib(n);
  }

  static long fib(long n) {
    if (n < 2) {
      return n;
    }
    Roots a = new Roots(n - 1);
    a.fork();
    long b = fib(n - 2);
    return a.join() + b;
  }

  private static double run(Contest c) {
    AtomicLong all = new AtomicLong();
    Thread[] callers = new Thread[CALLERS];
    for (int i = 0; i < CALLERS; i++) {
      callers[i] = new Thread(() -> {
        long sum = 0;
        for (long k = 0; k < c.size; k++) {
          sum += c.pool.invoke(new Roots(ROOT));
        }
        all.addAndGet(sum);
      });
      callers[i].start();
    }
    for (Thread caller : callers) {
      try {
        caller.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    return all.get();
  }

  public static void main(String[] arguments) throws Exception {
    Contest c = new Contest(arguments);
    c.play(() -> run(c));
  }
}
