use contest::Input;

struct Marks(Vec<u8>);

impl Input for Marks {
    fn new(size: i64) -> Self {
        Marks(vec![0; size as usize])
    }
    fn reset(&mut self) {
        self.0.fill(0);
    }
    fn result(&self) -> f64 {
        self.0.iter().map(|&mark| mark as f64).sum()
    }
}

fn main() {
    contest::contestant_on(|pool, input: &mut Marks| {
        pool.scope(|s| {
            for mark in &mut input.0 {
                s.spawn(move |_| *mark = 1);
            }
        });
    });
}
