#[path = "block.rs"]
mod block;
use block::{multiply_leaf, Block, Matrices, LEAF};

fn multiply(c: Block, a: Block, b: Block, n: usize) {
    if n == LEAF {
        return multiply_leaf(c, a, b);
    }
    let h = n / 2;
    for k in 0..2 {
        let part = |i, j| multiply(c.quarter(i, j, h), a.quarter(i, k, h), b.quarter(k, j, h), h);
        rayon::join(
            || rayon::join(|| part(0, 0), || part(0, 1)),
            || rayon::join(|| part(1, 0), || part(1, 1)),
        );
    }
}

fn main() {
    contest::contestant_on(|pool, m: &mut Matrices| {
        let n = m.n;
        let block = |v: &mut Vec<f64>| Block { at: v.as_mut_ptr(), stride: n };
        let (c, a, b) = (block(&mut m.c), block(&mut m.a), block(&mut m.b));
        pool.install(|| multiply(c, a, b, n));
    });
}
