#[path = "block.rs"]
mod block;
use block::{multiply_leaf, Block, LEAF};

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
    block::contestant_by(multiply);
}
