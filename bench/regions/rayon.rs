use contest::Input;
use rayon::prelude::*;

struct Loops {
    chain: i64,
    loops: i64,
    v: Vec<u64>,
}

impl Input for Loops {
    fn new(size: i64) -> Self {
        Loops { chain: 8 * size, loops: std::cmp::max(20_000 / size, 1), v: vec![] }
    }
    fn reset(&mut self) {
        self.v = (1..=100).collect();
    }
    fn result(&self) -> f64 {
        self.v.iter().map(|x| x >> 32).sum::<u64>() as f64
    }
}

fn step(x: &mut u64, chain: i64) {
    for _ in 0..chain {
        *x = x.wrapping_mul(0x5851f42d4c957f2d).wrapping_add(0x14057b7ef767814f);
    }
}

fn main() {
    contest::contestant_on(|pool, input: &mut Loops| {
        let chain = input.chain;
        for _ in 0..input.loops {
            pool.install(|| input.v.par_iter_mut().for_each(|x| step(x, chain)));
        }
    });
}
