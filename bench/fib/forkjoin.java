import java.util.concurrent.RecursiveTask;

final class Fib extends RecursiveTask<Long> {
  private final long n;

  Fib(long n) {
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
    Fib a = new Fib(n - 1);
    a.fork();
    long b = fib(n - 2);
    return a.join() + b;
  }

  public static void main(String[] arguments) throws Exception {
    Contest c = new Contest(arguments);
    c.play(() -> c.pool.invoke(new Fib(c.size)));
  }
}
