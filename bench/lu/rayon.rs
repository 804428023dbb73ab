// As lu.hpp.

#[path = "../matrix/block.rs"]
#[allow(dead_code)]
mod block;
use block::{Block, LEAF};
use contest::Input;

struct Matrix {
    n: usize,
    v: Vec<f64>,
}

impl Input for Matrix {
    fn new(size: i64) -> Self {
        let n = size as usize;
        Matrix { n, v: vec![0.0; n * n] }
    }
    fn reset(&mut self) {
        let n = self.n;
        for (i, x) in self.v.iter_mut().enumerate() {
            *x = if i / n == i % n { (10 * n) as f64 } else { (i % 11) as f64 };
        }
    }
    fn result(&self) -> f64 {
        self.v.iter().enumerate().map(|(i, x)| x * (i % 3) as f64).sum()
    }
}

// to -= x·from, in the columns from `first` on.
unsafe fn subtract_row(to: *mut f64, x: f64, from: *const f64, first: usize) {
    let to = std::slice::from_raw_parts_mut(to.add(first), LEAF - first);
    let from = std::slice::from_raw_parts(from.add(first), LEAF - first);
    for (t, f) in to.iter_mut().zip(from) {
        *t -= x * f;
    }
}

fn decompose_leaf(a: Block) {
    for k in 0..LEAF {
        for i in k + 1..LEAF {
            unsafe {
                *a.row(i).add(k) /= *a.row(k).add(k);
                subtract_row(a.row(i), *a.row(i).add(k), a.row(k), k + 1);
            }
        }
    }
}

fn solve_lower_leaf(b: Block, l: Block) {
    for i in 1..LEAF {
        for k in 0..i {
            unsafe { subtract_row(b.row(i), *l.row(i).add(k), b.row(k), 0) }
        }
    }
}

fn solve_upper_leaf(b: Block, u: Block) {
    for i in 0..LEAF {
        for k in 0..LEAF {
            unsafe {
                *b.row(i).add(k) /= *u.row(k).add(k);
                subtract_row(b.row(i), *b.row(i).add(k), u.row(k), k + 1);
            }
        }
    }
}

fn subtract_leaf(c: Block, a: Block, b: Block) {
    for i in 0..LEAF {
        for k in 0..LEAF {
            unsafe { subtract_row(c.row(i), *a.row(i).add(k), b.row(k), 0) }
        }
    }
}

// C -= A·B
fn subtract(c: Block, a: Block, b: Block, n: usize) {
    if n == LEAF {
        return subtract_leaf(c, a, b);
    }
    let h = n / 2;
    for k in 0..2 {
        let part = |i, j| subtract(c.quarter(i, j, h), a.quarter(i, k, h), b.quarter(k, j, h), h);
        rayon::join(
            || rayon::join(|| part(0, 0), || part(0, 1)),
            || rayon::join(|| part(1, 0), || part(1, 1)),
        );
    }
}

fn solve_lower(b: Block, l: Block, n: usize) {
    if n == LEAF {
        return solve_lower_leaf(b, l);
    }
    let h = n / 2;
    let columns = |j| {
        solve_lower(b.quarter(0, j, h), l.quarter(0, 0, h), h);
        subtract(b.quarter(1, j, h), l.quarter(1, 0, h), b.quarter(0, j, h), h);
        solve_lower(b.quarter(1, j, h), l.quarter(1, 1, h), h);
    };
    rayon::join(|| columns(0), || columns(1));
}

fn solve_upper(b: Block, u: Block, n: usize) {
    if n == LEAF {
        return solve_upper_leaf(b, u);
    }
    let h = n / 2;
    let rows = |i| {
        solve_upper(b.quarter(i, 0, h), u.quarter(0, 0, h), h);
        subtract(b.quarter(i, 1, h), b.quarter(i, 0, h), u.quarter(0, 1, h), h);
        solve_upper(b.quarter(i, 1, h), u.quarter(1, 1, h), h);
    };
    rayon::join(|| rows(0), || rows(1));
}

fn decompose(a: Block, n: usize) {
    if n == LEAF {
        return decompose_leaf(a);
    }
    let h = n / 2;
    let [first, right, below, last] = [a.quarter(0, 0, h), a.quarter(0, 1, h), a.quarter(1, 0, h), a.quarter(1, 1, h)];
    decompose(first, h);
    rayon::join(|| solve_lower(right, first, h), || solve_upper(below, first, h));
    subtract(last, below, right, h);
    decompose(last, h);
}

fn main() {
    contest::contestant_on(|pool, m: &mut Matrix| {
        let a = Block { at: m.v.as_mut_ptr(), stride: m.n };
        let n = m.n;
        pool.install(|| decompose(a, n));
    });
}
