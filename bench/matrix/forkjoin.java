import java.util.Arrays;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;

final class Matrix extends RecursiveAction {
  private static final int LEAF = 64;
  private static double[] a, b, c;
  private static int stride;

  private final int atC, atA, atB, n; // where the blocks begin

  Matrix(int atC, int atA, int atB, int n) {
    this.atC = atC;
    this.atA = atA;
    this.atB = atB;
    this.n = n;
  }

  @Override
  protected void compute() {
    if (n == LEAF) {
      multiplyLeaf();
      return;
    }
    int h = n / 2;
    for (int k = 0; k < 2; k++) {
      ForkJoinTask.invokeAll(part(0, 0, k, h), part(0, 1, k, h), part(1, 0, k, h), part(1, 1, k, h));
    }
  }

  private Matrix part(int i, int j, int k, int h) {
    return new Matrix(atC + quarter(i, j, h), atA + quarter(i, k, h), atB + quarter(k, j, h), h);
  }

  private static int quarter(int row, int column, int half) {
    return row * half * stride + column * half;
  }

  private void multiplyLeaf() {
    for (int i = 0; i < LEAF; i++) {
      int to = atC + i * stride;
      for (int k = 0; k < LEAF; k++) {
        double x = a[atA + i * stride + k];
        int from = atB + k * stride;
        for (int j = 0; j < LEAF; j++) {
          c[to + j] += x * b[from + j];
        }
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    Contest contest = new Contest(arguments);
    stride = (int) contest.size;
    a = new double[stride * stride];
    b = new double[stride * stride];
    c = new double[stride * stride];
    for (int i = 0; i < c.length; i++) {
      a[i] = i % 7;
      b[i] = i % 5;
    }
    contest.play(() -> Arrays.fill(c, 0), () -> contest.pool.invoke(new Matrix(0, 0, 0, stride)), () -> {
      double sum = 0;
      for (int i = 0; i < c.length; i++) {
        sum += c[i] * (i % 3);
      }
      return sum;
    });
  }
}
