use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

#[derive(Clone, Copy)]
struct Item {
    value: i64,
    weight: i64,
}

fn make_items(n: i64) -> Vec<Item> {
    let mut state: u64 = 7;
    let mut all: Vec<Item> = (0..n)
        .map(|_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let weight = (state >> 33) as i64 % 10_000 + 10_000;
            Item { value: weight + 1000, weight }
        })
        .collect();
    all.sort_by(|a, b| (b.value * a.weight).cmp(&(a.value * b.weight)));
    all
}

// No more can come of `rest` in `room`: whole items while they fit, and a part of the next one.
fn bound(rest: &[Item], mut room: i64) -> i64 {
    let mut value = 0;
    for next in rest {
        if next.weight > room {
            return value + next.value * room / next.weight;
        }
        room -= next.weight;
        value += next.value;
    }
    value
}

fn fill(rest: &[Item], room: i64, value: i64, best: &AtomicI64) {
    best.fetch_max(value, Relaxed);
    if rest.is_empty() || value + bound(rest, room) <= best.load(Relaxed) {
        return;
    }
    let next = rest[0];
    if next.weight > room {
        return fill(&rest[1..], room, value, best);
    }
    rayon::join(
        || fill(&rest[1..], room - next.weight, value + next.value, best),
        || fill(&rest[1..], room, value, best),
    );
}

fn main() {
    contest::contestant(|pool, task| {
        let all = make_items(task.size);
        let room = all.iter().map(|i| i.weight).sum::<i64>() / 2;
        let best = AtomicI64::new(0);
        pool.install(|| fill(&all, room, 0, &best));
        best.into_inner() as f64
    });
}
