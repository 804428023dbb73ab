#include <analysis/sim/deque_figure.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace heist::analysis {
namespace {

constexpr int row = 54, box_height = 34, shown = 6, top = 76, edge_space = 30, left = 20, radius = 14;
// Of a character in a label and in a title: fonts differ, and this is a wide one.
constexpr double label_character = 7.5, title_character = 9.6;

constexpr const char* style =
    "<style>text{font:14px sans-serif;fill:#222;text-anchor:middle}.title{font-weight:600;font-size:16px;"
    "text-anchor:start}.small{font-size:12px}.left{text-anchor:start}.page{fill:#fff}.box{fill:#eef2f7;stroke:#66788a}"
    ".now{fill:#fdf3d8;stroke:#a8842c}.done{fill:#fff;stroke:#66788a}.ready{fill:#222;stroke:#222}.later{fill:#d5dde6;"
    "stroke:#66788a}.on{fill:#fff}.spawn{fill:none;stroke:#2563c9;stroke-width:2}.line{stroke:#66788a;"
    "stroke-dasharray:4 4}.head{fill:#2563c9}@media(prefers-color-scheme:dark){text{fill:#ddd}.page{fill:#16181c}"
    ".box{fill:#232a33}.now{fill:#3a3018}.done{fill:#16181c}.ready{fill:#fff;stroke:#fff}.on{fill:#111}"
    ".later{fill:#3c4754}}</style>\n"
    "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" "
    "orient=\"auto\"><path class=\"head\" d=\"M0 0L8 4L0 8z\"/></marker></defs>\n";

// The first instruction that is shown of a thread: if there are too many, those around the ready one.
id first_shown(const dag& d, const deque_view::place& p) {
  const dag::thread& t = d.threads[p.thread];
  if (t.count <= shown) return t.first;
  const id before = std::min<id>(p.next - t.first, shown / 2);
  return std::min(p.next - before, t.first + t.count - shown);
}

// How wide things must be for the longest label that is shown.
class widths {
 public:
  widths(const dag& d, std::initializer_list<const deque_view*> views) {
    for (const deque_view* v : views) {
      for (const deque_view::place& p : v->deque) see(d, p);
      if (!v->idle()) see(d, v->works_on);
    }
  }

  int half() const { return std::max(radius, static_cast<int>(static_cast<double>(label_) * label_character) / 2 + 4); }
  int pitch() const { return 2 * half() + 18; }
  int name() const { return std::max(44, static_cast<int>(static_cast<double>(name_) * label_character * 7 / 6) + 20); }
  int panel() const { return name() + shown * pitch() + 40; }

 private:
  void see(const dag& d, const deque_view::place& p) {
    const dag::thread& t = d.threads[p.thread];
    name_ = std::max(name_, t.name.size());
    const id first = first_shown(d, p), count = std::min<id>(t.count, shown);
    for (id i = first; i < first + count; ++i) label_ = std::max(label_, d.label(i).size());
  }

  std::size_t label_ = 0, name_ = 0;
};

// One processor: its deque from the top down, and below it what it works on.
class picture {
 public:
  picture(const dag& d, const deque_view& v, const widths& wide, int x, int rows)
      : dag_(d), view_(v), wide_(wide), x_(x), rows_(rows) {}

  std::string draw(const std::string& caption) {
    out_ += fmt::format("<text class=\"left\" x=\"{}\" y=\"58\">{}</text>\n", x_, caption);
    // The thread that is worked on is in the last row, so that both pictures have it at the same height.
    const int first = rows_ - static_cast<int>(view_.deque.size());
    for (std::size_t i = 0; i < view_.deque.size(); ++i) thread(view_.deque[i], first + static_cast<int>(i), "box");
    out_ += fmt::format("<path class=\"line\" d=\"M{} {}h{}\"/>\n", x_, y(rows_) - 10, wide_.panel() - 20);
    if (view_.idle())
      out_ += fmt::format("<text class=\"small left\" x=\"{}\" y=\"{}\">it has nothing, and will steal</text>\n", x_,
                          y(rows_) + 22);
    else
      thread(view_.works_on, rows_, "now");
    for (std::size_t i = 0; i < view_.deque.size(); ++i) {
      const bool lowest = i + 1 == view_.deque.size();
      if (!lowest || !view_.idle())
        spawn_edge(view_.deque[i], lowest ? view_.works_on : view_.deque[i + 1], first + static_cast<int>(i));
    }
    return out_;
  }

 private:
  static int y(int row_number) { return top + row_number * row; }

  int circle_x(const deque_view::place& p, id instruction) const {
    return x_ + wide_.name() + wide_.pitch() / 2 + static_cast<int>(instruction - first_shown(dag_, p)) * wide_.pitch();
  }

  void thread(const deque_view::place& p, int at, const char* looks) {
    const dag::thread& t = dag_.threads[p.thread];
    const id first = first_shown(dag_, p), count = std::min<id>(t.count, shown);
    out_ += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"8\"/>", looks, x_, y(at),
                        wide_.name() + static_cast<int>(count) * wide_.pitch(), box_height);
    out_ += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>", x_ + wide_.name() / 2, y(at) + 22, t.name);
    for (id i = first; i < first + count; ++i) {
      const char* const how = i < p.next ? "done" : i == p.next ? "ready" : "later";
      out_ += fmt::format(
          "<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>"
          "<text class=\"small{}\" x=\"{}\" y=\"{}\">{}</text>",
          how, circle_x(p, i) - wide_.half(), y(at) + box_height / 2 - radius, 2 * wide_.half(), 2 * radius, radius,
          i == p.next ? " on" : "", circle_x(p, i), y(at) + box_height / 2 + 4, dag_.label(i));
    }
    out_ += '\n';
  }

  // From the instruction that spawned the thread below to that thread's first one, if both can be seen.
  void spawn_edge(const deque_view::place& parent, const deque_view::place& child, int at) {
    const id spawner = dag_.threads[child.thread].spawner;
    if (spawner == none || dag_.thread_of[spawner] != parent.thread) return;
    const id head = dag_.threads[child.thread].first;
    const int x1 = spawner < first_shown(dag_, parent) ? x_ + wide_.name() : circle_x(parent, spawner);
    const int x2 = head < first_shown(dag_, child) ? x_ + wide_.name() : circle_x(child, head);
    out_ += fmt::format("<path class=\"spawn\" marker-end=\"url(#head)\" d=\"M{} {}L{} {}\"/>\n", x1,
                        y(at) + box_height / 2 + 14, x2, y(at + 1) + box_height / 2 - 15);
  }

  const dag& dag_;
  const deque_view& view_;
  const widths& wide_;
  const int x_, rows_;
  std::string out_;
};

std::string page(const std::string& title, int content_width, int rows, const std::string& content) {
  const int width = std::max(content_width, static_cast<int>(static_cast<double>(title.size()) * title_character) + 2 * left);
  const int height = top + (rows + 1) * row + edge_space;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\">\n"
      "<title>{2}</title>\n{3}<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n"
      "<text class=\"title\" x=\"{4}\" y=\"28\">{2}</text>\n{5}"
      "<text class=\"small left\" x=\"{4}\" y=\"{6}\">white: executed; black: next; grey: later. Below the line: what "
      "the processor works on</text>\n</svg>\n",
      width, height, title, style, left, content, height - 12);
}

}  // namespace

std::optional<deque_moment> best_moment(const deque_table& t, deque_event what) {
  std::optional<deque_moment> best;
  std::size_t most = 0;
  for (std::size_t s = 0; s < t.steps().size(); ++s) {
    for (id p = 0; p < t.steps()[s].processors.size(); ++p) {
      const deque_step::processor& q = t.at(s, p);
      // One thing at a time is easier to see.
      const bool only = q.events.size() == 1 && q.events[0].what == what;
      const bool among = std::ranges::any_of(q.events, [&](const auto& e) { return e.what == what; });
      const std::size_t length = std::max(q.after.deque.size(), t.before(s, p).deque.size()) * 2 + (only ? 1 : 0);
      if (!among || (best && length <= most)) continue;
      best = deque_moment{s, p};
      most = length;
    }
  }
  return best;
}

std::optional<deque_moment> longest_deque(const deque_table& t) {
  std::optional<deque_moment> best;
  std::size_t most = 0;
  for (std::size_t s = 0; s < t.steps().size(); ++s)
    for (id p = 0; p < t.steps()[s].processors.size(); ++p)
      if (const std::size_t length = t.at(s, p).after.deque.size(); length > most) {
        best = deque_moment{s, p};
        most = length;
      }
  return best;
}

std::string before_and_after(const dag& d, const deque_table& t, deque_moment when, const std::string& title) {
  const deque_view before = t.before(when.step, when.processor), &after = t.at(when.step, when.processor).after;
  const int rows = static_cast<int>(std::max(before.deque.size(), after.deque.size()));
  const widths wide(d, {&before, &after});
  return page(title, 2 * wide.panel() + left, rows,
              picture(d, before, wide, left, rows)
                      .draw(fmt::format("p{}, before step {}", when.processor + 1, when.step + 1)) +
                  picture(d, after, wide, left + wide.panel(), rows).draw("after it"));
}

std::string structure(const dag& d, const deque_table& t, deque_moment when, const std::string& title) {
  const deque_view& v = t.at(when.step, when.processor).after;
  const int rows = static_cast<int>(v.deque.size());
  const widths wide(d, {&v});
  return page(title, std::max(wide.panel() + left, 620), rows,
              picture(d, v, wide, left, rows)
                  .draw(fmt::format("p{}, after step {}", when.processor + 1, when.step + 1)));
}

}  // namespace heist::analysis
