#include <heist/cluster/best.hpp>
#include <heist/cluster/ledger.hpp>
#include <heist/cluster/wire.hpp>

#include <nats/nats.h>

#include <charconv>
#include <cstdio>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace heist::cluster::detail {

struct ledger::bucket {
  std::mutex lock;  // of the making
  jsCtx* server = nullptr;
  kvStore* store = nullptr;

  ~bucket() {
    kvStore_Destroy(store);
    jsCtx_Destroy(server);
  }
};

namespace {

constexpr std::size_t hex_digits = 32;

std::string text_of(const key& k) {
  char text[hex_digits + 1];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(k[0]), static_cast<unsigned long long>(k[1]));
  return text;
}

bool key_in(std::string_view text, key& to) {
  if (text.size() != hex_digits) return false;
  for (std::size_t half = 0; half < 2; ++half) {
    const char* const at = text.data() + 16 * half;
    const auto [end, error] = std::from_chars(at, at + 16, to[half], 16);
    if (error != std::errc() || end != at + 16) return false;
  }
  return true;
}

bytes packed(const entry_of_driver& e) {
  bytes to;
  writer w(to);
  put(w, e.of.epoch);
  put(w, e.of.instance);
  put(w, e.fingerprint);
  return to;
}

entry_of_driver unpacked(const void* data, int size) {
  reader r({static_cast<const std::byte*>(data), static_cast<std::size_t>(size)});
  entry_of_driver e;
  e.of.epoch = get<std::uint64_t>(r);
  e.of.instance = get<std::uint64_t>(r);
  e.fingerprint = get<key>(r);
  r.must_be_at_end();
  return e;
}

std::uint64_t random_word() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32 | device()) | 1;
}

}  // namespace

ledger::ledger(wire& by, const std::string& job, node_id me)
    : wire_(by), name_("heist_" + job), b_(std::make_unique<bucket>()), me_(text_of({0, me})) {}
ledger::~ledger() = default;

// The driver has made it.
bool ledger::open() noexcept {
  const std::lock_guard hold(b_->lock);
  if (b_->store != nullptr) return true;
  if (b_->server == nullptr && natsConnection_JetStream(&b_->server, wire_.client(), nullptr) != NATS_OK) return false;
  return js_KeyValue(&b_->store, b_->server, name_.c_str()) == NATS_OK;
}

void ledger::make() {
  kvConfig wanted;
  kvConfig_Init(&wanted);
  wanted.Bucket = name_.c_str();
  const std::lock_guard hold(b_->lock);
  if (b_->server == nullptr || js_CreateKeyValue(&b_->store, b_->server, &wanted) != NATS_OK)
    throw std::runtime_error("heist: cluster: a durable job needs a server that keeps things; start it with JetStream (nats-server -js)");
}

std::string ledger::name_of_kind(const char* kind, std::uint64_t instance) { return kind + text_of({0, instance}).substr(16) + "."; }

// Notes and best values of a job that has ended.
void ledger::purge(std::uint64_t instance) noexcept try {
  const std::lock_guard hold(b_->lock);
  for (const char* const kind : {"note.", "best."}) {
    const std::string those = "$KV." + name_ + "." + name_of_kind(kind, instance) + ">";
    jsOptions wanted;
    jsOptions_Init(&wanted);
    wanted.Stream.Purge.Subject = those.c_str();
    js_PurgeStream(b_->server, ("KV_" + name_).c_str(), &wanted, nullptr);  // if not, the next driver does it
  }
} catch (const std::exception&) {
  return;  // no memory: likewise
}

// model: cluster_driver.pml, driver()
term ledger::take_over(const key& fingerprint) {
  if (!open()) make();
  kvEntry* found = nullptr;
  const natsStatus got = kvStore_Get(&found, b_->store, "driver");
  natsStatus kept = got;
  entry_of_driver mine{{1, random_word()}, fingerprint}, before;
  auto data = [&] { return packed(mine); };
  if (got == NATS_NOT_FOUND) {
    kept = kvStore_Create(&revision_, b_->store, "driver", data().data(), static_cast<int>(data().size()));
  } else if (got == NATS_OK) {
    before = unpacked(kvEntry_Value(found), kvEntry_ValueLen(found));
    const std::uint64_t revision = kvEntry_Revision(found);
    kvEntry_Destroy(found);
    if (before.of.epoch > 0) {
      if (before.fingerprint != fingerprint)
        throw std::runtime_error("heist: cluster: this durable job has begun with another build, function or arguments; finish it, or "
                                 "choose another name");
      mine.of = {before.of.epoch + 1, before.of.instance};
    }
    kept = kvStore_Update(&revision_, b_->store, "driver", data().data(), static_cast<int>(data().size()), revision);
  }
  if (kept != NATS_OK)
    throw std::runtime_error(std::string("heist: cluster: another driver has taken the durable job over (") + natsStatus_GetText(kept) + ")");
  if (before.of.instance != 0 && before.of.instance != mine.of.instance) purge(before.of.instance);
  mine_ = mine;
  begin(mine.of.instance);
  return mine.of;
}

// model: cluster_driver.pml, driver()
bool ledger::end_job() {
  entry_of_driver mark = mine_;
  mark.of.epoch = 0;
  const bytes data = packed(mark);
  std::uint64_t revision = 0;
  if (kvStore_Update(&revision, b_->store, "driver", data.data(), static_cast<int>(data.size()), revision_) != NATS_OK) return false;
  purge(mark.of.instance);
  return true;
}

void ledger::begin(std::uint64_t instance) {
  const std::lock_guard hold(best_lock_);
  instance_ = instance;
  best_kept_.clear();
}

// README.md, "Best values". Each node has entries of its own, so none overwrites a better one.
bool ledger::put_best_values(std::uint64_t& instance) {
  const std::lock_guard hold(best_lock_);
  instance = instance_;
  for (const shared_values::news& n : shared_values::all()) {
    if (best_kept_[n.id] == n.version) continue;
    std::uint64_t revision = 0;
    const std::string name = name_of_kind("best.", instance) + text_of({0, n.id}) + "." + me_;
    if (kvStore_Put(&revision, b_->store, name.c_str(), n.value.data(), static_cast<int>(n.value.size())) != NATS_OK) return false;
    best_kept_[n.id] = n.version;
  }
  return true;
}

bool ledger::put(const key& k, const bytes& value) noexcept try {
  std::uint64_t instance = 0;
  if (!open() || !put_best_values(instance)) return false;
  std::uint64_t revision = 0;
  const std::string name = name_of_kind("note.", instance) + text_of(k);
  return kvStore_Put(&revision, b_->store, name.c_str(), value.data(), static_cast<int>(value.size())) == NATS_OK;
} catch (const std::exception&) {
  return false;  // no memory
}

void ledger::read(const std::function<void(const key&, bytes)>& one) {
  if (!open()) return;
  kvWatchOptions wanted;
  kvWatchOptions_Init(&wanted);
  wanted.IgnoreDeletes = true;
  const std::string notes = name_of_kind("note.", mine_.of.instance), bests = name_of_kind("best.", mine_.of.instance);
  kvWatcher* all = nullptr;
  if (kvStore_WatchAll(&all, b_->store, &wanted) != NATS_OK) return;
  kvEntry* e = nullptr;
  // A null entry follows the last of those that are there.
  while (kvWatcher_Next(&e, all, 5000) == NATS_OK && e != nullptr) {
    const auto* const data = static_cast<const std::byte*>(kvEntry_Value(e));
    bytes value(data, data + kvEntry_ValueLen(e));
    const std::string_view name = kvEntry_Key(e);
    if (key k; name.starts_with(notes) && key_in(name.substr(notes.size()), k))
      one(k, std::move(value));
    else if (name.starts_with(bests) && key_in(name.substr(bests.size(), hex_digits), k))
      shared_values::hear(k[1], value);
    kvEntry_Destroy(e);
  }
  kvWatcher_Destroy(all);
}

}  // namespace heist::cluster::detail
