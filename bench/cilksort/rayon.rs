use contest::Input;

const LEAF: usize = 2048;

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

fn merge_serial(a: &[f64], b: &[f64], out: &mut [f64]) {
    let (mut i, mut j) = (0, 0);
    for to in out {
        *to = if j == b.len() || (i < a.len() && a[i] <= b[j]) {
            i += 1;
            a[i - 1]
        } else {
            j += 1;
            b[j - 1]
        };
    }
}

fn merge(a: &[f64], b: &[f64], out: &mut [f64]) {
    if a.len() < b.len() {
        return merge(b, a, out);
    }
    if out.len() <= LEAF {
        return merge_serial(a, b, out);
    }
    let i = a.len() / 2;
    let j = b.partition_point(|&x| x < a[i]);
    let (first, second) = out.split_at_mut(i + j);
    rayon::join(|| merge(&a[..i], &b[..j], first), || merge(&a[i..], &b[j..], second));
}

// Sorts `from`, and leaves the result there or in `buffer`.
fn sort_runs(from: &mut [f64], buffer: &mut [f64], into_buffer: bool) {
    if from.len() <= LEAF {
        from.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap());
        if into_buffer {
            buffer.copy_from_slice(from);
        }
        return;
    }
    let half = from.len() / 2;
    let (a, b) = from.split_at_mut(half);
    let (c, d) = buffer.split_at_mut(half);
    rayon::join(|| sort_runs(a, c, !into_buffer), || sort_runs(b, d, !into_buffer));
    if into_buffer {
        merge(a, b, buffer);
    } else {
        merge(c, d, from);
    }
}

fn main() {
    contest::contestant_on(|pool, input: &mut Numbers| {
        let mut buffer = vec![0.0; input.v.len()];
        pool.install(|| sort_runs(&mut input.v, &mut buffer, false));
    });
}
