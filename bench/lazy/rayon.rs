// The six chains of bench/lazy on Rayon's iterators. Reads "chain workers" from stdin; answers with nanoseconds and the result.
use rayon::prelude::*;
use std::io::{BufRead, Write};
use std::time::Instant;

const ELEMENTS: usize = 1_000_000;

struct Input {
    a: Vec<f64>,
    b: Vec<f64>,
    small: Vec<i64>,
}

fn run(chain: usize, input: &Input) -> f64 {
    let (a, b) = (&input.a, &input.b);
    match chain {
        0 => a.par_iter().map(|x| x * x).sum(),
        1 => a.par_iter().filter(|x| **x > 0.5).map(|x| x.sqrt()).sum(),
        2 => a.par_iter().zip(b).map(|(x, y)| x * y).sum(),
        3 => {
            let least = b[0] + 0.3;
            let all: Vec<f64> = a.par_iter().filter(|x| **x > least).map(|x| 2.0 * x).collect();
            all.len() as f64 + all[all.len() - 1]
        }
        4 => input.small.par_iter().flat_map_iter(|n| (0..*n).map(move |k| k * k + n)).sum::<i64>() as f64,
        _ => {
            // max_by gives the last of equal ones, so equal ones are ordered by their places.
            let far = a.par_iter().zip(b).map(|(x, y)| (x - y).abs()).enumerate();
            far.max_by(|x, y| x.1.total_cmp(&y.1).then(y.0.cmp(&x.0))).unwrap().0 as f64
        }
    }
}

fn main() {
    let fraction = |i: usize, factor: usize, prime: usize| (i * factor % prime) as f64 / prime as f64;
    let input = Input {
        a: (0..ELEMENTS).map(|i| fraction(i, 7919, 10_007)).collect(),
        b: (0..ELEMENTS).map(|i| fraction(i, 104_729, 10_009)).collect(),
        small: (0..ELEMENTS).map(|i| (i * 31 % 8) as i64).collect(),
    };
    let pools: Vec<_> = (1..=2).map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap()).collect();
    for line in std::io::stdin().lock().lines() {
        let words: Vec<usize> = line.unwrap().split_whitespace().map(|w| w.parse().unwrap()).collect();
        let (ns, result) = pools[words[1] - 1].install(|| {
            let start = Instant::now();
            let result = run(words[0], &input);
            (start.elapsed().as_nanos(), result)
        });
        println!("{} {}", ns, result);
        std::io::stdout().flush().unwrap();
    }
}
