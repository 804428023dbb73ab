#include <heist/base/clock.hpp>
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
#include <thread>
#include <utility>
#include <vector>

namespace heist::cluster::detail {

namespace {
constexpr std::int64_t answer_within = 2000;  // milliseconds
constexpr auto try_again = std::chrono::milliseconds(50);
}  // namespace

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
  put(w, e.by);
  return to;
}

entry_of_driver unpacked(const void* data, int size) {
  reader r({static_cast<const std::byte*>(data), static_cast<std::size_t>(size)});
  entry_of_driver e;
  e.of.epoch = get<std::uint64_t>(r);
  e.of.instance = get<std::uint64_t>(r);
  e.fingerprint = get<key>(r);
  e.by = get<node_id>(r);
  r.must_be_at_end();
  return e;
}

std::uint64_t random_word() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32 | device()) | 1;
}

}  // namespace

// What is there of the driver's entry.
struct ledger::found_entry {
  natsStatus how = NATS_ERR;
  entry_of_driver is;
  std::uint64_t revision = 0;
};

ledger::ledger(wire& by, const std::string& job, node_id me, std::chrono::nanoseconds patience)
    : wire_(by), name_("heist_" + job), b_(std::make_unique<bucket>()), id_(me), me_(text_of({0, me})), patience_(patience) {}
ledger::~ledger() = default;

// The driver has made it.
bool ledger::open() noexcept {
  const std::lock_guard hold(b_->lock);
  if (b_->store != nullptr) return true;
  jsOptions wanted;
  jsOptions_Init(&wanted);
  wanted.Wait = answer_within;
  if (b_->server == nullptr && natsConnection_JetStream(&b_->server, wire_.client(), &wanted) != NATS_OK) return false;
  return js_KeyValue(&b_->store, b_->server, name_.c_str()) == NATS_OK;
}

// On three servers, if there are as many: it outlives one of them. False if the servers are about to agree who leads them.
bool ledger::make() {
  kvConfig wanted;
  kvConfig_Init(&wanted);
  wanted.Bucket = name_.c_str();
  const std::lock_guard hold(b_->lock);
  natsStatus made = NATS_NO_RESPONDERS;
  for (const int servers : {3, 1}) {
    wanted.Replicas = servers;
    if (b_->server != nullptr && (made = js_CreateKeyValue(&b_->store, b_->server, &wanted)) == NATS_OK) return true;
  }
  if (made == NATS_NO_RESPONDERS)
    throw std::runtime_error("heist: cluster: a durable job needs a server that keeps things; start it with JetStream (nats-server -js)");
  return false;
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

ledger::found_entry ledger::look_up() const {
  found_entry e;
  kvEntry* found = nullptr;
  e.how = kvStore_Get(&found, b_->store, "driver");
  if (e.how != NATS_OK) return e;
  const std::unique_ptr<kvEntry, void (*)(kvEntry*)> keep(found, kvEntry_Destroy);
  e.revision = kvEntry_Revision(found);
  e.is = unpacked(kvEntry_Value(found), kvEntry_ValueLen(found));
  return e;
}

// Compare-and-set over that revision; 0: there is no entry. An error does not say whether it was done: the server may have gone
// away, or its answer. So the entry is read again. What we have written is there, or what we wanted to replace: then again.
// model: cluster_driver.pml, driver()
ledger::change ledger::write(const entry_of_driver& wanted, std::uint64_t over) {
  const bytes data = packed(wanted);
  const auto size = static_cast<int>(data.size());
  const auto until = std::chrono::steady_clock::now() + patience_;
  do {
    if (wire_.connected()) {
      const natsStatus kept = over == 0 ? kvStore_Create(&revision_, b_->store, "driver", data.data(), size)
                                        : kvStore_Update(&revision_, b_->store, "driver", data.data(), size, over);
      if (kept == NATS_OK) return change::done;
      if (const found_entry now = look_up(); now.how == NATS_OK) {
        revision_ = now.revision;
        if (now.is == wanted) return change::done;
        if (now.revision != over) return change::overtaken;
      }
    }
    std::this_thread::sleep_for(try_again);
  } while (std::chrono::steady_clock::now() < until);
  return change::unknown;
}

// model: cluster_driver.pml, driver()
term ledger::take_over(const key& fingerprint) try {
  const auto until = std::chrono::steady_clock::now() + patience_;
  while (!open() && !make()) {
    if (std::chrono::steady_clock::now() >= until)
      throw std::runtime_error("heist: cluster: the server does not say who drives the durable job; start it again");
    std::this_thread::sleep_for(try_again);
  }
  found_entry before = look_up();
  while (before.how != NATS_OK && before.how != NATS_NOT_FOUND && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(try_again);
    before = look_up();
  }
  entry_of_driver mine{{1, random_word()}, fingerprint, id_};
  if (before.is.of.epoch > 0) {
    if (before.is.fingerprint != fingerprint)
      throw std::runtime_error("heist: cluster: this durable job has begun with another build, function or arguments; finish it, or "
                               "choose another name");
    mine.of = {before.is.of.epoch + 1, before.is.of.instance};
  }
  const bool known = before.how == NATS_OK || before.how == NATS_NOT_FOUND;
  switch (known ? write(mine, before.revision) : change::unknown) {
    case change::done: break;
    case change::overtaken: throw std::runtime_error("heist: cluster: another driver has taken the durable job over");
    case change::unknown: throw std::runtime_error("heist: cluster: the server does not say who drives the durable job; start it again");
  }
  if (before.is.of.instance != 0 && before.is.of.instance != mine.of.instance) purge(before.is.of.instance);
  mine_ = mine;
  begin(mine.of.instance);
  return mine.of;
} catch (const undecodable&) {
  throw std::runtime_error("heist: cluster: another version of heist has begun this durable job; choose another name");
}

// model: cluster_driver.pml, driver()
ledger::change ledger::end_job() try {
  entry_of_driver mark = mine_;
  mark.of.epoch = 0;
  const change made = write(mark, revision_);
  if (made == change::done) purge(mark.of.instance);
  return made;
} catch (const std::exception&) {
  return change::overtaken;  // by another version of heist, whose entry we cannot read
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
  if (!wire_.connected() || !open() || !put_best_values(instance)) return false;
  std::uint64_t revision = 0;
  const std::string name = name_of_kind("note.", instance) + text_of(k);
  return kvStore_Put(&revision, b_->store, name.c_str(), value.data(), static_cast<int>(value.size())) == NATS_OK;
} catch (const std::exception&) {
  return false;  // no memory
}

// README.md, "Durable jobs", step 3.
bool ledger::read_news(const std::function<void(const key&, bytes)>& one) noexcept try {
  const std::int64_t came = heist::detail::now();
  const std::lock_guard hold(news_lock_);
  if (read_began_ > came) return true;  // that one has read what we want, or could not
  if (!open()) return false;
  std::uint64_t instance = 0;
  {
    const std::lock_guard hold_instance(best_lock_);
    instance = instance_;
  }
  if (std::exchange(seen_of_, instance) != instance) seen_ = 0;
  read_began_ = heist::detail::now();
  std::vector<std::pair<key, bytes>> notes;
  std::uint64_t seen = seen_;
  // A note may rest on a best value that comes after it, since a better one has replaced it. So all or nothing.
  if (!read_since(seen, instance, [&](const key& k, bytes value) { notes.emplace_back(k, std::move(value)); })) return false;
  seen_ = seen;
  for (auto& [k, value] : notes) one(k, std::move(value));
  return true;
} catch (const std::exception&) {
  return false;  // no memory: then it is computed again
}

// False if the server does not tell everything that was there when this began. Best values are heard.
bool ledger::read_since(std::uint64_t& seen, std::uint64_t instance, const std::function<void(const key&, bytes)>& one) {
  if (!wire_.connected()) return false;
  const std::string stream = "KV_" + name_, subjects = "$KV." + name_ + ".";
  jsStreamInfo* info = nullptr;
  if (js_GetStreamInfo(&info, b_->server, stream.c_str(), nullptr, nullptr) != NATS_OK) return false;
  const std::uint64_t last = info->State.LastSeq;
  jsStreamInfo_Destroy(info);
  if (last <= seen) return true;
  jsSubOptions wanted;
  jsSubOptions_Init(&wanted);
  wanted.Stream = stream.c_str();
  wanted.Ordered = true;
  wanted.Config.DeliverPolicy = js_DeliverByStartSequence;
  wanted.Config.OptStartSeq = seen + 1;
  natsSubscription* made = nullptr;
  if (js_SubscribeSync(&made, b_->server, (subjects + ">").c_str(), nullptr, &wanted, nullptr) != NATS_OK) return false;
  const std::unique_ptr<natsSubscription, void (*)(natsSubscription*)> all(made, natsSubscription_Destroy);
  const std::string notes = name_of_kind("note.", instance), bests = name_of_kind("best.", instance);
  // The last of those that were there may have been replaced meanwhile: then a later one comes.
  while (seen < last) {
    natsMsg* got = nullptr;
    if (natsSubscription_NextMsg(&got, all.get(), answer_within) != NATS_OK) return false;
    const std::unique_ptr<natsMsg, void (*)(natsMsg*)> m(got, natsMsg_Destroy);
    jsMsgMetaData* about = nullptr;
    if (natsMsg_GetMetaData(&about, got) != NATS_OK) return false;
    seen = about->Sequence.Stream;
    jsMsgMetaData_Destroy(about);
    const std::string_view name = std::string_view(natsMsg_GetSubject(got)).substr(subjects.size());
    const auto* const data = reinterpret_cast<const std::byte*>(natsMsg_GetData(got));
    const auto size = static_cast<std::size_t>(natsMsg_GetDataLength(got));
    if (key k; name.starts_with(notes) && key_in(name.substr(notes.size()), k))
      one(k, bytes(data, data + size));
    else if (name.starts_with(bests) && key_in(name.substr(bests.size(), hex_digits), k))
      shared_values::hear(k[1], bytes(data, data + size));
  }
  return true;
}

}  // namespace heist::cluster::detail
