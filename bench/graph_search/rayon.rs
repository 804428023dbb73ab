use contest::Input;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

const DEGREE: usize = 8;
const LEAF: usize = 64;
const FAR: u32 = u32::MAX;

struct Graph {
    n: usize,
    edges: Vec<u32>,
    distance: Vec<AtomicU32>,
}

impl Input for Graph {
    fn new(size: i64) -> Self {
        let n = size as usize;
        let edges = (1..=(n * DEGREE) as u64).map(|i| (contest::hash(i) % n as u64) as u32).collect();
        Graph { n, edges, distance: (0..n).map(|_| AtomicU32::new(FAR)).collect() }
    }
    fn reset(&mut self) {
        self.distance.iter().for_each(|d| d.store(FAR, Relaxed));
    }
    fn result(&self) -> f64 {
        self.distance.iter().map(|d| d.load(Relaxed)).filter(|&d| d != FAR).map(|d| d as f64).sum()
    }
}

// A part of the frontier, which is `depth` - 1 from the start.
fn visit(g: &Graph, frontier: &[u32], depth: u32, next: &[AtomicU32], found: &AtomicUsize) {
    if frontier.len() > LEAF {
        let (a, b) = frontier.split_at(frontier.len() / 2);
        rayon::join(|| visit(g, a, depth, next, found), || visit(g, b, depth, next, found));
        return;
    }
    let mut mine = [0u32; LEAF * DEGREE];
    let mut count = 0;
    for &u in frontier {
        for &v in &g.edges[u as usize * DEGREE..][..DEGREE] {
            let d = &g.distance[v as usize];
            if d.load(Relaxed) == FAR && d.compare_exchange(FAR, depth, Relaxed, Relaxed).is_ok() {
                mine[count] = v;
                count += 1;
            }
        }
    }
    let at = found.fetch_add(count, Relaxed);
    for (to, &v) in next[at..].iter().zip(&mine[..count]) {
        to.store(v, Relaxed);
    }
}

fn main() {
    contest::contestant_on(|pool, g: &mut Graph| {
        let next: Vec<AtomicU32> = (0..g.n).map(|_| AtomicU32::new(0)).collect();
        let mut frontier = vec![0u32];
        g.distance[0].store(0, Relaxed);
        pool.install(|| {
            for depth in 1.. {
                let found = AtomicUsize::new(0);
                visit(g, &frontier, depth, &next, &found);
                if found.load(Relaxed) == 0 {
                    break;
                }
                frontier = next[..found.load(Relaxed)].iter().map(|v| v.load(Relaxed)).collect();
            }
        });
    });
}
