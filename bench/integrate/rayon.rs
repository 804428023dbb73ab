fn f(x: f64) -> f64 {
    (x * x + 1.0) * x
}

fn area(left: f64, left_f: f64, right: f64, right_f: f64) -> f64 {
    (left_f + right_f) / 2.0 * (right - left)
}

fn integrate(left: f64, left_f: f64, right: f64, right_f: f64, guess: f64) -> f64 {
    let middle = left + (right - left) / 2.0;
    let middle_f = f(middle);
    let first = area(left, left_f, middle, middle_f);
    let second = area(middle, middle_f, right, right_f);
    if (first + second - guess).abs() < 1e-3 {
        return first + second;
    }
    let (a, b) = rayon::join(
        || integrate(left, left_f, middle, middle_f, first),
        || integrate(middle, middle_f, right, right_f, second),
    );
    a + b
}

fn main() {
    contest::contestant(|pool, task| {
        let n = task.size as f64;
        pool.install(|| integrate(0.0, f(0.0), n, f(n), area(0.0, f(0.0), n, f(n))))
    });
}
