import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.ForkJoinPool;
import java.util.function.DoubleSupplier;

/** A contestant in Java: as in contestant.hpp, on a ForkJoinPool of the wanted size. It warms up for longer, for the compiler. */
final class Contest {
  static final int WARM_UPS = 3;

  final int workers;
  final long size;
  final String kind;
  final ForkJoinPool pool;

  Contest(String[] arguments) {
    long w = 0, n = 0;
    String k = "";
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      switch (arguments[i]) {
        case "--workers" -> w = Long.parseLong(arguments[i + 1]);
        case "--size" -> n = Long.parseLong(arguments[i + 1]);
        case "--kind" -> k = arguments[i + 1];
        default -> { }
      }
    }
    if (w <= 0 || n <= 0) {
      System.err.println("usage: java PROBLEM --workers P --size n [--kind K]");
      System.exit(2);
    }
    workers = (int) w;
    size = n;
    kind = k;
    pool = new ForkJoinPool(workers);
  }

  /** run gives the result. */
  void play(DoubleSupplier run) throws IOException, InterruptedException {
    double[] found = new double[1];
    play(() -> { }, () -> found[0] = run.getAsDouble(), () -> found[0]);
  }

  /** For problems that work on something in memory: only run is timed. */
  void play(Runnable reset, Runnable run, DoubleSupplier result) throws IOException, InterruptedException {
    for (int i = 0; i < WARM_UPS; i++) {
      reset.run();
      run.run();
    }
    reset.run();
    double cpu = cpuSeconds();
    long start = System.nanoTime();
    run.run();
    double seconds = (System.nanoTime() - start) / 1e9;
    Thread.sleep(50);
    cpu = cpuSeconds() - cpu;
    System.out.println(String.format(Locale.ROOT,
        "{\"workers\": %d, \"size\": %d, \"seconds\": %.9f, \"cpu_seconds\": %.9f, \"result\": %s, \"peak_kib\": %s}",
        workers, size, seconds, cpu, result.getAsDouble(), peakKib()));
  }

  private static double cpuSeconds() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e9;
  }

  private static String peakKib() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmHWM")) {
        return line.split("\\s+")[1];
      }
    }
    return "0";
  }

  /** What the tree search and the sort's numbers come from. */
  static long hash(long x) {
    x = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
    x = (x ^ (x >>> 27)) * 0x94d049bb133111ebL;
    return x ^ (x >>> 31);
  }
}
