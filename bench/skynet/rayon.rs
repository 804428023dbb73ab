// The children [i, end) of the node that begins with `first`.
fn sum_of(i: i64, end: i64, first: i64, leaves: i64) -> i64 {
    if end - i == 1 {
        return sum(first + i * (leaves / 10), leaves / 10);
    }
    let middle = i + (end - i) / 2;
    let (a, b) = rayon::join(|| sum_of(i, middle, first, leaves), || sum_of(middle, end, first, leaves));
    a + b
}

fn sum(first: i64, leaves: i64) -> i64 {
    if leaves == 1 {
        first
    } else {
        sum_of(0, 10, first, leaves)
    }
}

fn main() {
    contest::contestant(|pool, task| pool.install(|| sum(0, task.size)) as f64);
}
