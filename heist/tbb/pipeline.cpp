#include <heist/tbb/pipeline.hpp>

namespace heist::detail {

namespace {

class filters final : public pipeline_run {
 public:
  filters(std::size_t most, std::vector<filter_part>& parts, const std::vector<stage_kind>& kinds)
      : pipeline_run(most, kinds.data(), static_cast<unsigned>(kinds.size())), parts_(parts) {}
  ~filters() {
    for_all([](pipeline_item& i) { delete static_cast<item*>(&i); });
  }

 private:
  struct item : pipeline_item {
    pipeline_token now = no_token();
  };

  pipeline_item* make() override { return new item; }
  bool fetch(pipeline_item& to) override {
    tbb::flow_control control;
    pipeline_token made = parts_[0].call(no_token(), control);
    if (control.is_pipeline_stopped()) return false;
    static_cast<item&>(to).now = std::move(made);
    return true;
  }
  void call(unsigned stage, pipeline_item& with) override {
    pipeline_token& now = static_cast<item&>(with).now;
    tbb::flow_control none;
    now = parts_[stage + 1].call(std::move(now), none);
  }

  std::vector<filter_part>& parts_;
};

}  // namespace

void run_filters(std::size_t most, std::vector<filter_part>& parts) {
  if (parts.empty()) return;
  if (most == 0) pipeline_run::refuse_limit();
  if (parts.size() == 1) {
    tbb::flow_control control;
    while (!control.is_pipeline_stopped()) parts[0].call(no_token(), control);
    return;
  }
  std::vector<stage_kind> kinds;
  for (std::size_t k = 1; k < parts.size(); ++k)
    kinds.push_back(parts[k].mode == tbb::filter_mode::parallel          ? stage_kind::parallel
                    : parts[k].mode == tbb::filter_mode::serial_in_order ? stage_kind::ordered
                                                                         : stage_kind::serial);
  filters(most, parts, kinds).run({});
}

}  // namespace heist::detail
