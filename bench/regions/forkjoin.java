import java.util.stream.IntStream;

final class Regions {
  private static final long[] v = new long[100];

  private static void step(int k, long chain) {
    long x = v[k];
    for (long i = 0; i < chain; i++) {
      x = x * 0x5851f42d4c957f2dL + 0x14057b7ef767814fL;
    }
    v[k] = x;
  }

  public static void main(String[] arguments) throws Exception {
    Contest c = new Contest(arguments);
    long chain = 8 * c.size, loops = Math.max(20_000 / c.size, 1);
    c.play(() -> {
      for (int k = 0; k < v.length; k++) {
        v[k] = k + 1;
      }
    }, () -> {
      for (long i = 0; i < loops; i++) {
        c.pool.submit(() -> IntStream.range(0, v.length).parallel().forEach(k -> step(k, chain))).join();
      }
    }, () -> {
      long sum = 0;
      for (long x : v) {
        sum += x >>> 32;
      }
      return sum;
    });
  }
}
