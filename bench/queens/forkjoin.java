import java.util.concurrent.RecursiveTask;

final class Queens extends RecursiveTask<Long> {
  private final int all, columns, left, right;

  Queens(int all, int columns, int left, int right) {
    this.all = all;
    this.columns = columns;
    this.left = left;
    this.right = right;
  }

  @Override
  protected Long compute() {
    if (columns == all) {
      return 1L;
    }
    int places = all & ~(columns | left | right);
    Queens[] children = new Queens[Integer.bitCount(places)];
    for (int i = 0; places != 0; places &= places - 1, i++) {
      int place = places & -places;
      children[i] = new Queens(all, columns | place, (left | place) << 1, (right | place) >>> 1);
      children[i].fork();
    }
    long sum = 0;
    for (int i = children.length - 1; i >= 0; i--) {
      sum += children[i].join();
    }
    return sum;
  }

  public static void main(String[] arguments) throws Exception {
    Contest c = new Contest(arguments);
    c.play(() -> c.pool.invoke(new Queens((1 << c.size) - 1, 0, 0, 0)));
  }
}
