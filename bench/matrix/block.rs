// As block.hpp.

use contest::Input;

pub const LEAF: usize = 64;

pub struct Matrices {
    pub n: usize,
    pub a: Vec<f64>,
    pub b: Vec<f64>,
    pub c: Vec<f64>,
}

impl Input for Matrices {
    fn new(size: i64) -> Self {
        let n = size as usize;
        let of = |modulus: usize| (0..n * n).map(|i| (i % modulus) as f64).collect();
        Matrices { n, a: of(7), b: of(5), c: vec![0.0; n * n] }
    }
    fn reset(&mut self) {
        self.c.fill(0.0);
    }
    fn result(&self) -> f64 {
        self.c.iter().enumerate().map(|(i, x)| x * (i % 3) as f64).sum()
    }
}

// A block of a matrix whose rows are `stride` apart. Blocks that are written at the same time do not overlap.
#[derive(Clone, Copy)]
pub struct Block {
    pub at: *mut f64,
    pub stride: usize,
}
unsafe impl Send for Block {}
unsafe impl Sync for Block {}

impl Block {
    pub fn quarter(self, row: usize, column: usize, half: usize) -> Block {
        Block { at: unsafe { self.at.add(row * half * self.stride + column * half) }, stride: self.stride }
    }
    pub unsafe fn row(self, i: usize) -> *mut f64 {
        self.at.add(i * self.stride)
    }
}

pub fn multiply_leaf(c: Block, a: Block, b: Block) {
    for i in 0..LEAF {
        for k in 0..LEAF {
            unsafe {
                let x = *a.row(i).add(k);
                let from = std::slice::from_raw_parts(b.row(k), LEAF);
                let to = std::slice::from_raw_parts_mut(c.row(i), LEAF);
                for (t, f) in to.iter_mut().zip(from) {
                    *t += x * f;
                }
            }
        }
    }
}

// The contestant that computes C by multiply(C, A, B, n).
pub fn contestant_by(multiply: impl Fn(Block, Block, Block, usize) + Sync) {
    contest::contestant_on(|pool, m: &mut Matrices| {
        let n = m.n;
        let block = |v: &mut Vec<f64>| Block { at: v.as_mut_ptr(), stride: n };
        let (c, a, b) = (block(&mut m.c), block(&mut m.a), block(&mut m.b));
        pool.install(|| multiply(c, a, b, n));
    });
}
