use contest::Input;
use rayon::prelude::*;

const STEPS: usize = 1000;

struct Grid {
    n: usize,
    now: Vec<f64>,
    next: Vec<f64>,
}

impl Input for Grid {
    fn new(size: i64) -> Self {
        let n = size as usize;
        Grid { n, now: vec![0.0; n * n], next: vec![0.0; n * n] }
    }
    fn reset(&mut self) {
        for i in 0..self.n * self.n {
            self.now[i] = if i % self.n == 0 || i < self.n { 1.0 } else { 0.0 };
        }
        self.next = self.now.clone();
    }
    fn result(&self) -> f64 {
        self.now.iter().sum()
    }
}

fn row(above: &[f64], here: &[f64], below: &[f64], to: &mut [f64]) {
    let n = to.len();
    let (above, here, below) = (&above[..n], &here[..n], &below[..n]);
    for j in 1..n - 1 {
        to[j] = here[j] + 0.1 * (above[j] + below[j] + here[j - 1] + here[j + 1] - 4.0 * here[j]);
    }
}

fn main() {
    contest::contestant_on(|pool, g: &mut Grid| {
        pool.install(|| {
            let n = g.n;
            for _ in 0..STEPS {
                let now = &g.now;
                g.next.par_chunks_mut(n).enumerate().skip(1).take(n - 2).for_each(|(i, to)| {
                    row(&now[(i - 1) * n..i * n], &now[i * n..(i + 1) * n], &now[(i + 1) * n..(i + 2) * n], to)
                });
                std::mem::swap(&mut g.now, &mut g.next);
            }
        });
    });
}
