//! A contestant in Rust: as in contestant.hpp, on a Rayon pool of the wanted size.

use std::time::{Duration, Instant};

pub struct Task {
    pub workers: usize,
    pub size: i64,
    pub kind: String,
}

fn parse() -> Task {
    // As in contestant.hpp: Rust allocates from the same C library.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 32 << 20);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 1 << 30);
    }
    let arguments: Vec<String> = std::env::args().collect();
    let value = |name: &str| arguments.iter().position(|a| a == name).and_then(|i| arguments.get(i + 1)).cloned();
    let number = |name: &str| value(name).and_then(|v| v.parse().ok()).filter(|&n: &i64| n > 0);
    match (number("--workers"), number("--size")) {
        (Some(workers), Some(size)) => Task { workers: workers as usize, size, kind: value("--kind").unwrap_or_default() },
        _ => {
            eprintln!("usage: {} --workers P --size n [--kind K]", arguments[0]);
            std::process::exit(2)
        }
    }
}

fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn pool(task: &Task) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(task.workers).build().unwrap()
}

fn cpu_seconds() -> f64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut t) };
    t.tv_sec as f64 + t.tv_nsec as f64 / 1e9
}

struct Figures {
    seconds: f64,
    cpu_seconds: f64,
}

fn measure(run: impl FnOnce()) -> Figures {
    let cpu = cpu_seconds();
    let start = Instant::now();
    run();
    let seconds = start.elapsed().as_secs_f64();
    std::thread::sleep(Duration::from_millis(50));
    Figures { seconds, cpu_seconds: cpu_seconds() - cpu }
}

fn print_outcome(task: &Task, figures: Figures, result: f64) {
    println!(
        "{{\"workers\": {}, \"size\": {}, \"seconds\": {:.9}, \"cpu_seconds\": {:.9}, \"result\": {:?}, \"peak_kib\": {}}}",
        task.workers,
        task.size,
        figures.seconds,
        figures.cpu_seconds,
        result,
        peak_kib()
    );
}

/// `run` gives the result.
pub fn contestant(run: impl Fn(&rayon::ThreadPool, &Task) -> f64) {
    let task = parse();
    let pool = pool(&task);
    run(&pool, &task);
    let mut result = 0.0;
    let figures = measure(|| result = run(&pool, &task));
    print_outcome(&task, figures, result);
}

/// What a problem works on in memory.
pub trait Input {
    fn new(size: i64) -> Self;
    fn reset(&mut self);
    fn result(&self) -> f64;
}

/// Only `run` is timed.
pub fn contestant_on<I: Input>(run: impl Fn(&rayon::ThreadPool, &mut I)) {
    let task = parse();
    let pool = pool(&task);
    let mut input = I::new(task.size);
    input.reset();
    run(&pool, &mut input);
    input.reset();
    let figures = measure(|| run(&pool, &mut input));
    print_outcome(&task, figures, input.result());
}

/// The hash that the tree search and the sort's numbers come from.
pub fn hash(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d049bb133111eb);
    x ^ (x >> 31)
}
