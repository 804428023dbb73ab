const CALLERS: usize = 4;
const ROOT: i64 = 12;

fn fib(n: i64) -> i64 {
    if n < 2 {
        return n;
    }
    let (a, b) = rayon::join(|| fib(n - 1), || fib(n - 2));
    a + b
}

fn main() {
    contest::contestant(|pool, task| {
        let call = || (0..task.size).map(|_| pool.install(|| fib(ROOT))).sum::<i64>();
        std::thread::scope(|s| {
            let callers: Vec<_> = (0..CALLERS).map(|_| s.spawn(call)).collect();
            callers.into_iter().map(|c| c.join().unwrap()).sum::<i64>() as f64
        })
    });
}
