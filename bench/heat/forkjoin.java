import java.util.stream.IntStream;

final class Heat {
  private static final int STEPS = 1000;
  private static int n;
  private static double[] now, next;

  private static void row(int i) {
    double[] from = now, to = next;
    for (int j = i * n + 1; j < (i + 1) * n - 1; j++) {
      to[j] = from[j] + 0.1 * (from[j - n] + from[j + n] + from[j - 1] + from[j + 1] - 4 * from[j]);
    }
  }

  private static void run() {
    for (int s = 0; s < STEPS; s++) {
      IntStream.range(1, n - 1).parallel().forEach(Heat::row);
      double[] before = now;
      now = next;
      next = before;
    }
  }

  public static void main(String[] arguments) throws Exception {
    Contest c = new Contest(arguments);
    n = (int) c.size;
    now = new double[n * n];
    next = new double[n * n];
    c.play(() -> {
      for (int i = 0; i < n * n; i++) {
        now[i] = next[i] = i % n == 0 || i < n ? 1 : 0;
      }
    }, () -> c.pool.submit(Heat::run).join(), () -> {
      double sum = 0;
      for (double x : now) {
        sum += x;
      }
      return sum;
    });
  }
}
