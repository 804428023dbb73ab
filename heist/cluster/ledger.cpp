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

bool key_in(std::string_view text, std::string_view kind, key& to) {
  if (!text.starts_with(kind) || text.size() != 5 + hex_digits) return false;
  for (int half = 0; half < 2; ++half) {
    const char* const at = text.data() + 5 + 16 * half;
    const auto [end, error] = std::from_chars(at, at + 16, to[static_cast<std::size_t>(half)], 16);
    if (error != std::errc() || end != at + 16) return false;
  }
  return true;
}

struct entry_of_driver {
  term of;
  key fingerprint;
};

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

// The last entry of a driver says only that it has returned.
bool is_mark(const kvEntry* e) { return kvEntry_ValueLen(const_cast<kvEntry*>(e)) == 1; }
constexpr char mark = 0;
constexpr int looks_at_mark = 40;  // every 50 ms

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

void ledger::remove() noexcept {
  const std::lock_guard hold(b_->lock);
  js_DeleteKeyValue(b_->server, name_.c_str());
  kvStore_Destroy(b_->store);
  b_->store = nullptr;
}

// model: cluster_driver.pml, driver()
term ledger::take_over(const key& fingerprint) {
  begin();
  if (!open()) make();
  kvEntry* found = nullptr;
  natsStatus got = kvStore_Get(&found, b_->store, "driver");
  // A driver that has returned is about to delete all this. If it died before it could, that is left to us.
  for (int looks = 0; got == NATS_OK && is_mark(found); ++looks) {
    kvEntry_Destroy(std::exchange(found, nullptr));
    if (looks < looks_at_mark) {
      nats_Sleep(50);
    } else {
      remove();
      make();
    }
    got = kvStore_Get(&found, b_->store, "driver");
    if (got == NATS_OK || got == NATS_NOT_FOUND) continue;
    remove();  // it is gone
    make();
    got = kvStore_Get(&found, b_->store, "driver");
  }
  natsStatus kept;
  entry_of_driver mine{{1, random_word()}, fingerprint};
  if (got == NATS_NOT_FOUND) {
    const bytes data = packed(mine);
    kept = kvStore_Create(&revision_, b_->store, "driver", data.data(), static_cast<int>(data.size()));
  } else if (got == NATS_OK) {
    const entry_of_driver before = unpacked(kvEntry_Value(found), kvEntry_ValueLen(found));
    const std::uint64_t revision = kvEntry_Revision(found);
    kvEntry_Destroy(found);
    if (before.fingerprint != fingerprint)
      throw std::runtime_error("heist: cluster: this durable job has begun with another build, function or arguments; finish it, or "
                               "choose another name");
    mine.of = {before.of.epoch + 1, before.of.instance};
    const bytes data = packed(mine);
    kept = kvStore_Update(&revision_, b_->store, "driver", data.data(), static_cast<int>(data.size()), revision);
  } else {
    kept = got;
  }
  if (kept != NATS_OK)
    throw std::runtime_error(std::string("heist: cluster: another driver has taken the durable job over (") + natsStatus_GetText(kept) + ")");
  return mine.of;
}

// model: cluster_driver.pml, driver()
bool ledger::end_job() {
  std::uint64_t revision = 0;
  if (kvStore_Update(&revision, b_->store, "driver", &mark, 1, revision_) != NATS_OK) return false;
  remove();
  return true;
}

void ledger::begin() {
  const std::lock_guard hold(best_lock_);
  best_kept_.clear();
}

// README.md, "Best values". Each node has entries of its own, so none overwrites a better one.
bool ledger::put_best_values() {
  const std::lock_guard hold(best_lock_);
  for (const shared_values::news& n : shared_values::all()) {
    if (best_kept_[n.id] == n.version) continue;
    std::uint64_t revision = 0;
    const std::string name = "best." + text_of({0, n.id}) + "." + me_;
    if (kvStore_Put(&revision, b_->store, name.c_str(), n.value.data(), static_cast<int>(n.value.size())) != NATS_OK) return false;
    best_kept_[n.id] = n.version;
  }
  return true;
}

bool ledger::put(const key& k, const bytes& value) noexcept try {
  if (!open() || !put_best_values()) return false;
  std::uint64_t revision = 0;
  return kvStore_Put(&revision, b_->store, ("note." + text_of(k)).c_str(), value.data(), static_cast<int>(value.size())) == NATS_OK;
} catch (const std::exception&) {
  return false;  // no memory
}

void ledger::read(const std::function<void(const key&, bytes)>& one) {
  if (!open()) return;
  kvWatchOptions wanted;
  kvWatchOptions_Init(&wanted);
  wanted.IgnoreDeletes = true;
  kvWatcher* all = nullptr;
  if (kvStore_WatchAll(&all, b_->store, &wanted) != NATS_OK) return;
  kvEntry* e = nullptr;
  // A null entry follows the last of those that are there.
  while (kvWatcher_Next(&e, all, 5000) == NATS_OK && e != nullptr) {
    const auto* const data = static_cast<const std::byte*>(kvEntry_Value(e));
    bytes value(data, data + kvEntry_ValueLen(e));
    const std::string_view name = kvEntry_Key(e);
    if (key k; key_in(name, "note.", k))
      one(k, std::move(value));
    else if (key_in(name.substr(0, name.rfind('.')), "best.", k))
      shared_values::hear(k[1], value);
    kvEntry_Destroy(e);
  }
  kvWatcher_Destroy(all);
}

}  // namespace heist::cluster::detail
