import java.util.concurrent.RecursiveTask;

final class Skynet extends RecursiveTask<Long> {
  private final long first, leaves;

  Skynet(long first, long leaves) {
    this.first = first;
    this.leaves = leaves;
  }

  @Override
  protected Long compute() {
    if (leaves == 1) {
      return first;
    }
    Skynet[] children = new Skynet[10];
    for (int i = 0; i < 10; i++) {
      children[i] = new Skynet(first + i * (leaves / 10), leaves / 10);
      children[i].fork();
    }
    long sum = 0;
    for (int i = 9; i >= 0; i--) {
      sum += children[i].join();
    }
    return sum;
  }

  public static void main(String[] arguments) throws Exception {
    Contest c = new Contest(arguments);
    c.play(() -> c.pool.invoke(new Skynet(0, c.size)));
  }
}
