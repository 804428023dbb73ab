import java.util.Arrays;
import java.util.concurrent.RecursiveAction;

final class SpawnLoop extends RecursiveAction {
  private static byte[] marks;

  private static final class Child extends RecursiveAction {
    private final int i;

    Child(int i) {
      this.i = i;
    }

    @Override
    protected void compute() {
      marks[i] = 1;
    }
  }

  @Override
  protected void compute() {
    Child[] children = new Child[marks.length];
    for (int i = 0; i < marks.length; i++) {
      children[i] = new Child(i);
      children[i].fork();
    }
    for (int i = children.length - 1; i >= 0; i--) {
      children[i].join();
    }
  }

  public static void main(String[] arguments) throws Exception {
    Contest c = new Contest(arguments);
    marks = new byte[(int) c.size];
    c.play(() -> Arrays.fill(marks, (byte) 0), () -> c.pool.invoke(new SpawnLoop()), () -> {
      double sum = 0;
      for (byte mark : marks) {
        sum += mark;
      }
      return sum;
    });
  }
}
