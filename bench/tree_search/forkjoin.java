import java.util.concurrent.RecursiveTask;

final class TreeSearch extends RecursiveTask<Long> {
  private static boolean geometric;
  private static long size;

  private final long number;
  private final int depth;

  TreeSearch(long number, int depth) {
    this.number = number;
    this.depth = depth;
  }

  private TreeSearch child(int i) {
    long child = number + (i + 1) * 0x9e3779b97f4a7c15L;
    for (int e = 0; e < 4; e++) {
      child = Contest.hash(child);
    }
    return new TreeSearch(child, depth + 1);
  }

  private int children() {
    double draw = (number >>> 11) * 0x1p-53;
    if (!geometric) {
      return depth == 0 ? (int) size : draw < 0.2499 ? 4 : 0;
    }
    if (depth == size) {
      return 0;
    }
    if (depth == 0) {
      return 4;
    }
    int k = 0;
    for (double more = 0.8; draw < more; more *= 0.8) {
      k++;
    }
    return k;
  }

  @Override
  protected Long compute() {
    TreeSearch[] children = new TreeSearch[children()];
    for (int i = 0; i < children.length; i++) {
      children[i] = child(i);
      children[i].fork();
    }
    long nodes = 1;
    for (int i = children.length - 1; i >= 0; i--) {
      nodes += children[i].join();
    }
    return nodes;
  }

  public static void main(String[] arguments) throws Exception {
    Contest c = new Contest(arguments);
    geometric = c.kind.equals("geometric");
    size = c.size;
    c.play(() -> c.pool.invoke(new TreeSearch(3, 0)));
  }
}
