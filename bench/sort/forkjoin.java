import java.util.Arrays;

final class Sort {
  public static void main(String[] arguments) throws Exception {
    Contest c = new Contest(arguments);
    double[] original = new double[(int) c.size];
    for (int i = 0; i < original.length; i++) {
      original[i] = (Contest.hash((i + 1) * 0x9e3779b97f4a7c15L) >>> 11) * 0x1p-53;
    }
    double[] v = new double[original.length];
    c.play(() -> System.arraycopy(original, 0, v, 0, v.length),
        // From a task of this pool it runs in this pool.
        () -> c.pool.submit(() -> Arrays.parallelSort(v)).join(), () -> {
          double sum = 0;
          for (int i = 0; i < v.length; i++) {
            if (i > 0 && v[i - 1] > v[i]) {
              throw new AssertionError("not sorted");
            }
            sum += v[i] * (i % 1000);
          }
          return sum;
        });
  }
}
