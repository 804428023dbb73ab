use contest::Input;

const LEAF: usize = 128;
const BUTTERFLIES: usize = 512;

#[derive(Clone, Copy, Default)]
struct Number {
    re: f64,
    im: f64,
}

struct Signal {
    n: usize,
    input: Vec<Number>,
    out: Vec<Number>,
    roots: Vec<Number>,
}

impl Input for Signal {
    fn new(size: i64) -> Self {
        let n = size as usize;
        let root = |i: usize| {
            let angle = -2.0 * std::f64::consts::PI * i as f64 / n as f64;
            Number { re: angle.cos(), im: angle.sin() }
        };
        Signal {
            n,
            input: (0..n).map(|i| Number { re: (i % 17) as f64, im: (i % 5) as f64 }).collect(),
            out: vec![],
            roots: (0..n / 2).map(root).collect(),
        }
    }
    fn reset(&mut self) {
        self.out = vec![Number::default(); self.n];
    }
    fn result(&self) -> f64 {
        self.out.iter().enumerate().map(|(i, x)| (x.re + x.im) * (i % 3) as f64).sum()
    }
}

// The butterflies between two halves, or parts of them that begin at `first`; `step` is between the roots.
fn join_halves(roots: &[Number], step: usize, first: usize, low: &mut [Number], high: &mut [Number]) {
    if low.len() <= BUTTERFLIES {
        for (k, (l, h)) in low.iter_mut().zip(high).enumerate() {
            let w = roots[(first + k) * step];
            let odd = Number { re: w.re * h.re - w.im * h.im, im: w.re * h.im + w.im * h.re };
            let even = *l;
            *l = Number { re: even.re + odd.re, im: even.im + odd.im };
            *h = Number { re: even.re - odd.re, im: even.im - odd.im };
        }
        return;
    }
    let middle = low.len() / 2;
    let (l1, l2) = low.split_at_mut(middle);
    let (h1, h2) = high.split_at_mut(middle);
    rayon::join(|| join_halves(roots, step, first, l1, h1), || join_halves(roots, step, first + middle, l2, h2));
}

// The elements `stride` apart from the first one.
fn transform(roots: &[Number], input: &[Number], stride: usize, out: &mut [Number]) {
    let n = out.len();
    if n == 1 {
        out[0] = input[0];
        return;
    }
    let (low, high) = out.split_at_mut(n / 2);
    if n <= LEAF {
        transform(roots, input, 2 * stride, low);
        transform(roots, &input[stride..], 2 * stride, high);
    } else {
        rayon::join(
            || transform(roots, input, 2 * stride, low),
            || transform(roots, &input[stride..], 2 * stride, high),
        );
    }
    join_halves(roots, 2 * roots.len() / n, 0, low, high);
}

fn main() {
    contest::contestant_on(|pool, x: &mut Signal| {
        pool.install(|| transform(&x.roots, &x.input, 1, &mut x.out));
    });
}
