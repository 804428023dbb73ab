// As strassen.hpp.

#[path = "../matrix/block.rs"]
mod block;
use block::{multiply_leaf, Block, LEAF};

fn add(to: Block, a: Block, b: Block, sign: f64, n: usize) {
    for i in 0..n {
        for j in 0..n {
            unsafe { *to.row(i).add(j) = *a.row(i).add(j) + sign * *b.row(i).add(j) }
        }
    }
}

// A matrix for an intermediate sum or product.
struct Scratch {
    n: usize,
    v: Vec<f64>,
}

impl Scratch {
    fn new(n: usize) -> Self {
        Scratch { n, v: vec![0.0; n * n] }
    }
    fn all(&mut self) -> Block {
        Block { at: self.v.as_mut_ptr(), stride: self.n }
    }
}

// x, or the sum x ± y.
#[derive(Clone, Copy)]
struct Factor {
    x: Block,
    sign: f64,
    y: Block,
}

fn alone(x: Block) -> Factor {
    Factor { x, sign: 0.0, y: x }
}
fn sum(x: Block, y: Block) -> Factor {
    Factor { x, sign: 1.0, y }
}
fn difference(x: Block, y: Block) -> Factor {
    Factor { x, sign: -1.0, y }
}

fn product(to: Block, left: Factor, right: Factor, n: usize) {
    let made = |f: &Factor| Scratch::new(if f.sign == 0.0 { 0 } else { n });
    let (mut l, mut r) = (made(&left), made(&right));
    let value = |f: &Factor, s: &mut Scratch| {
        if f.sign == 0.0 {
            return f.x;
        }
        add(s.all(), f.x, f.y, f.sign, n);
        s.all()
    };
    multiply(to, value(&left, &mut l), value(&right, &mut r), n);
}

// C is zero.
fn multiply(c: Block, a: Block, b: Block, n: usize) {
    if n == LEAF {
        return multiply_leaf(c, a, b);
    }
    let h = n / 2;
    let of = |m: Block| [m.quarter(0, 0, h), m.quarter(0, 1, h), m.quarter(1, 0, h), m.quarter(1, 1, h)];
    let ([a11, a12, a21, a22], [b11, b12, b21, b22], [c11, c12, c21, c22]) = (of(a), of(b), of(c));
    let mut scratch: Vec<Scratch> = (0..7).map(|_| Scratch::new(h)).collect();
    let m: Vec<Block> = scratch.iter_mut().map(Scratch::all).collect();
    let first = || {
        rayon::join(
            || product(m[0], sum(a11, a22), sum(b11, b22), h),
            || product(m[1], sum(a21, a22), alone(b11), h),
        )
    };
    let second = || {
        rayon::join(
            || product(m[2], alone(a11), difference(b12, b22), h),
            || product(m[3], alone(a22), difference(b21, b11), h),
        )
    };
    let third = || {
        rayon::join(
            || product(m[4], sum(a11, a12), alone(b22), h),
            || product(m[5], difference(a21, a11), sum(b11, b12), h),
        )
    };
    let last = || product(m[6], difference(a12, a22), sum(b21, b22), h);
    rayon::join(|| rayon::join(first, second), || rayon::join(third, last));

    add(c11, m[0], m[3], 1.0, h);
    add(c11, c11, m[4], -1.0, h);
    add(c11, c11, m[6], 1.0, h);
    add(c12, m[2], m[4], 1.0, h);
    add(c21, m[1], m[3], 1.0, h);
    add(c22, m[0], m[1], -1.0, h);
    add(c22, c22, m[2], 1.0, h);
    add(c22, c22, m[5], 1.0, h);
}

fn main() {
    block::contestant_by(multiply);
}
