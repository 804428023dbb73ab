#include <heist/cluster/wire.hpp>
#include <heist/sleep/inheritance.hpp>

#include <nats/nats.h>

#include <array>
#include <charconv>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace heist::cluster::detail {

struct wire::connection {
  natsOptions* wanted = nullptr;
  natsConnection* to = nullptr;
  std::vector<natsSubscription*> heard;
  std::mutex lock;
  std::condition_variable changed;
  bool closed = false;      // under lock: the connection's threads are done with us
  std::size_t hearing = 0;  // under lock: subscriptions whose threads are not

  ~connection() {
    for (natsSubscription* const s : heard) natsSubscription_Destroy(s);
    if (to != nullptr) natsConnection_Destroy(to);
    if (wanted != nullptr) natsOptions_Destroy(wanted);
  }
};

namespace {

std::string hex(std::uint64_t n) {
  std::array<char, 17> text;
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(n));
  return text.data();
}

node_id from_hex(std::string_view text) noexcept {
  node_id n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n, 16);
  return error == std::errc() && end == text.data() + text.size() ? n : 0;
}

void must(natsStatus s, const char* what) {
  if (s != NATS_OK) throw std::runtime_error(std::string("heist: cluster: ") + what + ": " + natsStatus_GetText(s));
}

// "nats://host:port", without what must stay secret.
std::string listed(const options& o) {
  std::string all;
  for (const std::string& s : o.servers) all += (all.empty() ? "" : ", ") + s;
  return all;
}

[[noreturn]] void no_connection(const options& o, natsStatus s) {
  if (s == NATS_CONNECTION_AUTH_FAILED || s == NATS_NOT_PERMITTED)
    throw std::runtime_error("heist: cluster: the server at " + listed(o) + " does not accept this token or user and password");
  if (s == NATS_SSL_ERROR || s == NATS_SECURE_CONNECTION_REQUIRED || s == NATS_SECURE_CONNECTION_WANTED)
    throw std::runtime_error("heist: cluster: no TLS connection to " + listed(o) + ": " + natsStatus_GetText(s) +
                             "; use tls:// and name the certificates to trust (HEIST_CLUSTER_CA)");
  throw std::runtime_error("heist: cluster: no server at " + listed(o) + " (" + natsStatus_GetText(s) + ")");
}

}  // namespace

wire::wire(const options& wanted, node_id me)
    : me_(me), prefix_("heist." + wanted.job + "."), c_(std::make_unique<connection>()) {
  const heist::detail::signals_held by_the_clients_threads;
  must(natsOptions_Create(&c_->wanted), "no memory for the client");
  std::vector<const char*> servers;
  for (const std::string& s : wanted.servers) servers.push_back(s.c_str());
  natsOptions* const o = c_->wanted;
  must(natsOptions_SetServers(o, servers.data(), static_cast<int>(servers.size())), "the server's address makes no sense");
  if (!wanted.token.empty()) must(natsOptions_SetToken(o, wanted.token.c_str()), "the token makes no sense");
  if (!wanted.user.empty())
    must(natsOptions_SetUserInfo(o, wanted.user.c_str(), wanted.password.c_str()), "the user makes no sense");
  if (wanted.servers.front().starts_with("tls:")) must(natsOptions_SetSecure(o, true), "the client has no TLS");
  if (!wanted.ca.empty()) must(natsOptions_LoadCATrustedCertificates(o, wanted.ca.c_str()), ("no certificates in " + wanted.ca).c_str());
  natsOptions_SetNoEcho(o, true);
  natsOptions_SetSendAsap(o, true);                 // no thread in between
  natsOptions_UseGlobalMessageDelivery(o, true);    // one thread calls our handlers
  natsOptions_SetMaxReconnect(o, -1);
  natsOptions_SetReconnectWait(o, 50);
  natsOptions_SetReconnectJitter(o, 50, 50);
  natsOptions_SetTimeout(o, 5000);
  natsOptions_SetReconnectBufSize(o, 1 << 20);
  natsOptions_SetName(o, ("heist " + wanted.job + " " + hex(me)).c_str());
  natsOptions_SetErrorHandler(o, [](natsConnection*, natsSubscription*, natsStatus, void*) {}, nullptr);
  natsOptions_SetDisconnectedCB(o, [](natsConnection*, void* self) {
    if (auto& f = static_cast<wire*>(self)->to_.lost) f();
  }, this);
  natsOptions_SetReconnectedCB(o, [](natsConnection*, void* self) {
    if (auto& f = static_cast<wire*>(self)->to_.back) f();
  }, this);
  natsOptions_SetClosedCB(o, [](natsConnection*, void* self) {
    connection& c = *static_cast<wire*>(self)->c_;
    const std::lock_guard hold(c.lock);
    c.closed = true;
    c.changed.notify_all();
  }, this);
  if (const natsStatus s = natsConnection_Connect(&c_->to, o); s != NATS_OK) no_connection(wanted, s);
  const auto server = natsConnection_GetMaxPayload(c_->to);
  most_bytes_ = std::min(wanted.most_bytes, server > 4096 ? static_cast<std::size_t>(server) - 4096 : 0);
}

wire::~wire() { close(); }

void wire::close() noexcept {
  if (c_ == nullptr) return;
  natsConnection_FlushTimeout(c_->to, 1000);
  natsConnection_Close(c_->to);
  {
    std::unique_lock hold(c_->lock);
    c_->changed.wait(hold, [&] { return c_->closed && c_->hearing == 0; });
  }
  c_.reset();
}

namespace {
template <class Connection>
void subscribe(Connection& c, const std::string& subject, natsMsgHandler call, void* self) {
  const heist::detail::signals_held by_its_thread;
  natsSubscription* s = nullptr;
  must(natsConnection_Subscribe(&s, c.to, subject.c_str(), call, self), "the server lets us hear nothing");
  c.heard.push_back(s);
  natsSubscription_SetPendingLimits(s, -1, 256 << 20);
  // A closed connection does not wait for the messages that are being handled: close() does.
  const auto done = [](void* heard_by) {
    auto& its = *static_cast<Connection*>(heard_by);
    const std::lock_guard hold(its.lock);
    --its.hearing;
    its.changed.notify_all();
  };
  const std::lock_guard hold(c.lock);
  if (natsSubscription_SetOnCompleteCB(s, done, &c) == NATS_OK) ++c.hearing;
}

// A subject that the server's permissions do not give us is refused afterwards. Without this the program would run alone.
void must_be_heard(natsConnection* at, const std::string& prefix) {
  must(natsConnection_FlushTimeout(at, 5000), "the server does not answer");
  const char* text = nullptr;
  if (natsConnection_GetLastError(at, &text) == NATS_NOT_PERMITTED)
    throw std::runtime_error("heist: cluster: the server does not let this user hear " + prefix +
                             ">; the job's name is the last part of the address");
}
}  // namespace

void wire::listen(handlers to) {
  to_ = std::move(to);
  const auto call = [](natsConnection*, natsSubscription*, natsMsg* m, void* self) {
    const auto* const data = reinterpret_cast<const std::byte*>(natsMsg_GetData(m));
    static_cast<wire*>(self)->received(natsMsg_GetSubject(m), {data, static_cast<std::size_t>(natsMsg_GetDataLength(m))},
                                       natsMsg_IsNoResponders(m));
    natsMsg_Destroy(m);
  };
  subscribe(*c_, prefix_ + "n." + hex(me_) + ".*", call, this);
  subscribe(*c_, prefix_ + "all", call, this);
  must_be_heard(c_->to, prefix_);
}

void wire::listen_as_driver() {
  const auto call = [](natsConnection*, natsSubscription*, natsMsg* m, void* self) {
    const auto* const data = reinterpret_cast<const std::byte*>(natsMsg_GetData(m));
    static_cast<wire*>(self)->received(natsMsg_GetSubject(m), {data, static_cast<std::size_t>(natsMsg_GetDataLength(m))}, false);
    natsMsg_Destroy(m);
  };
  subscribe(*c_, prefix_ + "driver", call, this);
  must_be_heard(c_->to, prefix_);
}

// The subject of the server's word that nobody listens ends with whom the message was for.
void wire::received(const char* subject, std::span<const std::byte> data, bool nobody) {
  messages_received_.fetch_add(1, std::memory_order_relaxed);
  bytes_received_.fetch_add(data.size(), std::memory_order_relaxed);
  if (nobody) {
    const std::string_view text = subject;
    const std::string_view whom = text.substr(text.rfind('.') + 1);
    if (whom == "driver")
      to_.nobody_drives();
    else if (const node_id peer = from_hex(whom); peer != 0)
      to_.nobody_at(peer);
    return;
  }
  if (std::optional<message> m = decode(data); m && m->from != me_)
    to_.message_came(*m);
  else
    dropped_.fetch_add(1, std::memory_order_relaxed);
}

bool wire::publish(const std::string& subject, const char* reply, const message& m) noexcept try {
  const bytes data = encode(m);
  messages_sent_.fetch_add(1, std::memory_order_relaxed);
  bytes_sent_.fetch_add(data.size(), std::memory_order_relaxed);
  const auto size = static_cast<int>(data.size());
  const natsStatus s = reply != nullptr ? natsConnection_PublishRequest(c_->to, subject.c_str(), reply, data.data(), size)
                                        : natsConnection_Publish(c_->to, subject.c_str(), data.data(), size);
  return s == NATS_OK;
} catch (const std::exception&) {
  return false;  // no memory
}

bool wire::send(node_id to, const message& m) noexcept {
  const std::string there = hex(to);
  const std::string reply = prefix_ + "n." + hex(me_) + "." + there;
  return publish(prefix_ + "n." + there + ".m", reply.c_str(), m);
}

void wire::send_all(const message& m) noexcept { publish(prefix_ + "all", nullptr, m); }

void wire::send_driver(const message& m) noexcept {
  const std::string reply = prefix_ + "n." + hex(me_) + ".driver";
  publish(prefix_ + "driver", reply.c_str(), m);
}

natsConnection* wire::client() const noexcept { return c_->to; }

bool wire::connected() const noexcept { return natsConnection_Status(c_->to) == NATS_CONN_STATUS_CONNECTED; }

void wire::flush() noexcept { natsConnection_FlushTimeout(c_->to, 2000); }

wire::traffic wire::so_far() const noexcept {
  return {messages_sent_.load(std::memory_order_relaxed), bytes_sent_.load(std::memory_order_relaxed),
          messages_received_.load(std::memory_order_relaxed), bytes_received_.load(std::memory_order_relaxed),
          dropped_.load(std::memory_order_relaxed)};
}

}  // namespace heist::cluster::detail
