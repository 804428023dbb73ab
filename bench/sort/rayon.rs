use contest::Input;
use rayon::prelude::*;

struct Numbers {
    original: Vec<f64>,
    v: Vec<f64>,
}

impl Input for Numbers {
    fn new(size: i64) -> Self {
        let number = |i: u64| (contest::hash(i.wrapping_mul(0x9e3779b97f4a7c15)) >> 11) as f64 / (1u64 << 53) as f64;
        Numbers { original: (1..=size as u64).map(number).collect(), v: vec![] }
    }
    fn reset(&mut self) {
        self.v = self.original.clone();
    }
    fn result(&self) -> f64 {
        assert!(self.v.windows(2).all(|w| w[0] <= w[1]));
        self.v.iter().enumerate().map(|(i, x)| x * (i % 1000) as f64).sum()
    }
}

fn main() {
    contest::contestant_on(|pool, input: &mut Numbers| {
        pool.install(|| input.v.par_sort_unstable_by(|a, b| a.partial_cmp(b).unwrap()));
    });
}
