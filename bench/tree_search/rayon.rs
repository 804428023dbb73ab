struct Tree {
    geometric: bool,
    size: i64,
}

#[derive(Clone, Copy)]
struct Node {
    number: u64,
    depth: u32,
}

impl Tree {
    fn child(&self, n: Node, i: u32) -> Node {
        let mut number = n.number.wrapping_add((i as u64 + 1).wrapping_mul(0x9e3779b97f4a7c15));
        for _ in 0..4 {
            number = contest::hash(number);
        }
        Node { number, depth: n.depth + 1 }
    }

    fn children(&self, n: Node) -> u32 {
        let draw = (n.number >> 11) as f64 / (1u64 << 53) as f64;
        if !self.geometric {
            return if n.depth == 0 {
                self.size as u32
            } else if draw < 0.2499 {
                4
            } else {
                0
            };
        }
        if n.depth as i64 == self.size {
            return 0;
        }
        if n.depth == 0 {
            return 4;
        }
        let mut k = 0;
        let mut more = 0.8;
        while draw < more {
            k += 1;
            more *= 0.8;
        }
        k
    }
}

// The children [first, last) of a node and all below them.
fn count_children(t: &Tree, n: Node, first: u32, last: u32) -> i64 {
    if last - first == 1 {
        return count(t, t.child(n, first));
    }
    let middle = first + (last - first) / 2;
    let (a, b) = rayon::join(|| count_children(t, n, first, middle), || count_children(t, n, middle, last));
    a + b
}

fn count(t: &Tree, n: Node) -> i64 {
    match t.children(n) {
        0 => 1,
        children => 1 + count_children(t, n, 0, children),
    }
}

fn main() {
    contest::contestant(|pool, task| {
        let all = Tree { geometric: task.kind == "geometric", size: task.size };
        pool.install(|| count(&all, Node { number: 3, depth: 0 })) as f64
    });
}
