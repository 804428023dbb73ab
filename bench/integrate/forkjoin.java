import java.util.concurrent.RecursiveTask;

final class Integrate extends RecursiveTask<Double> {
  private final double left, leftF, right, rightF, guess;

  Integrate(double left, double leftF, double right, double rightF, double guess) {
    this.left = left;
    this.leftF = leftF;
    this.right = right;
    this.rightF = rightF;
    this.guess = guess;
  }

  static double f(double x) {
    return (x * x + 1) * x;
  }

  static double area(double left, double leftF, double right, double rightF) {
    return (leftF + rightF) / 2 * (right - left);
  }

  @Override
  protected Double compute() {
    return integrate(left, leftF, right, rightF, guess);
  }

  static double integrate(double left, double leftF, double right, double rightF, double guess) {
    double middle = left + (right - left) / 2, middleF = f(middle);
    double first = area(left, leftF, middle, middleF), second = area(middle, middleF, right, rightF);
    if (Math.abs(first + second - guess) < 1e-3) {
      return first + second;
    }
    Integrate a = new Integrate(left, leftF, middle, middleF, first);
    a.fork();
    double b = integrate(middle, middleF, right, rightF, second);
    return a.join() + b;
  }

  public static void main(String[] arguments) throws Exception {
    Contest c = new Contest(arguments);
    double n = c.size;
    c.play(() -> c.pool.invoke(new Integrate(0, f(0), n, f(n), area(0, f(0), n, f(n)))));
  }
}
