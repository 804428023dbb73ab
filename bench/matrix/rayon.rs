use contest::Input;

const LEAF: usize = 64;

struct Matrices {
    n: usize,
    a: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
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

// A block of a matrix whose rows are `stride` apart. The four blocks of C that are worked on at once do not overlap.
#[derive(Clone, Copy)]
struct Block {
    at: *mut f64,
    stride: usize,
}
unsafe impl Send for Block {}
unsafe impl Sync for Block {}

impl Block {
    fn quarter(self, row: usize, column: usize, half: usize) -> Block {
        Block { at: unsafe { self.at.add(row * half * self.stride + column * half) }, stride: self.stride }
    }
    unsafe fn row(self, i: usize) -> *mut f64 {
        self.at.add(i * self.stride)
    }
}

fn multiply_leaf(c: Block, a: Block, b: Block) {
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
