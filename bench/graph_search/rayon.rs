use contest::Input;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

const DEGREE: usize = 8;
const LEAF: usize = 64;
const FAR: u32 = u32::MAX;

struct Graph {
    edges: Vec<u32>,
    distance: Vec<AtomicU32>,
    frontier: Vec<AtomicU32>,
    next: Vec<AtomicU32>,
}

fn filled(n: usize, with: u32) -> Vec<AtomicU32> {
    (0..n).map(|_| AtomicU32::new(with)).collect()
}

impl Input for Graph {
    fn new(size: i64) -> Self {
        let n = size as usize;
        let edges = (1..=(n * DEGREE) as u64).map(|i| (contest::hash(i) % n as u64) as u32).collect();
        Graph { edges, distance: filled(n, FAR), frontier: filled(n, 0), next: filled(n, 0) }
    }
    fn reset(&mut self) {
        self.distance.iter().for_each(|d| d.store(FAR, Relaxed));
    }
    fn result(&self) -> f64 {
        self.distance.iter().map(|d| d.load(Relaxed)).filter(|&d| d != FAR).map(|d| d as f64).sum()
    }
}

// A part of the frontier, which is `depth` - 1 from the start.
fn visit(g: &Graph, frontier: &[AtomicU32], depth: u32, found: &AtomicUsize) {
    if frontier.len() > LEAF {
        let (a, b) = frontier.split_at(frontier.len() / 2);
        rayon::join(|| visit(g, a, depth, found), || visit(g, b, depth, found));
        return;
    }
    let mut mine = [0u32; LEAF * DEGREE];
    let mut count = 0;
    for u in frontier {
        for &v in &g.edges[u.load(Relaxed) as usize * DEGREE..][..DEGREE] {
            let d = &g.distance[v as usize];
            if d.load(Relaxed) == FAR && d.compare_exchange(FAR, depth, Relaxed, Relaxed).is_ok() {
                mine[count] = v;
                count += 1;
            }
        }
    }
    let at = found.fetch_add(count, Relaxed);
    for (to, &v) in g.next[at..].iter().zip(&mine[..count]) {
        to.store(v, Relaxed);
    }
}

fn main() {
    contest::contestant_on(|pool, g: &mut Graph| {
        g.distance[0].store(0, Relaxed);
        g.frontier[0].store(0, Relaxed);
        pool.install(|| {
            let mut size = 1;
            let mut depth = 1;
            while size > 0 {
                let found = AtomicUsize::new(0);
                visit(g, &g.frontier[..size], depth, &found);
                size = found.into_inner();
                std::mem::swap(&mut g.frontier, &mut g.next);
                depth += 1;
            }
        });
    });
}
