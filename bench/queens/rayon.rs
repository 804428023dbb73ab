#[derive(Clone, Copy)]
struct Board {
    all: u32,
    columns: u32,
    left: u32,
    right: u32,
}

impl Board {
    fn with(self, place: u32) -> Board {
        Board {
            all: self.all,
            columns: self.columns | place,
            left: (self.left | place) << 1,
            right: (self.right | place) >> 1,
        }
    }
}

// A queen on each of `places`: the first against the rest.
fn ways_on(b: Board, places: u32) -> i64 {
    let first = places & places.wrapping_neg();
    let rest = places & (places - 1);
    if rest == 0 {
        return ways(b.with(first));
    }
    let (a, others) = rayon::join(|| ways(b.with(first)), || ways_on(b, rest));
    a + others
}

fn ways(b: Board) -> i64 {
    if b.columns == b.all {
        return 1;
    }
    let places = b.all & !(b.columns | b.left | b.right);
    if places == 0 {
        0
    } else {
        ways_on(b, places)
    }
}

fn main() {
    contest::contestant(|pool, task| {
        let empty = Board { all: (1 << task.size) - 1, columns: 0, left: 0, right: 0 };
        pool.install(|| ways(empty)) as f64
    });
}
