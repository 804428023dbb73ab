// Servers that are set up in other ways: users and passwords, TLS, and three of them that form a cluster.

#include "support.hpp"

#include <heist/base/sanitizer.hpp>

namespace {

using heist_test::free_port;
using heist_test::job;
using heist_test::nap;
using heist_test::node_process;
using heist_test::process;
namespace fs = std::filesystem;

// nats-server with these arguments.
class other_server {
 public:
  other_server(int port, std::string url, std::vector<std::string> more) : url_(std::move(url)) {
    more.insert(more.begin(), {"nats-server", "-a", "127.0.0.1", "-p", std::to_string(port)});
    it_ = std::make_unique<process>(more);
    while (it_->running() && !heist_test::can_connect(port)) nap(5);
    EXPECT_TRUE(it_->running()) << it_->said();
  }
  std::string address() const { return url_; }
  void kill() {
    it_->signal(SIGKILL);
    it_->wait();
  }

 private:
  const std::string url_;
  std::unique_ptr<process> it_;
};

std::string at(const std::string& who, int port) { return who + "@127.0.0.1:" + std::to_string(port) + "/test"; }

std::string refusal(const std::string& url, const std::map<std::string, std::string>& more = {}) {
  std::map<std::string, std::string> environment = more;
  environment["HEIST_CLUSTER"] = url;
  process p({CLUSTER_PROGRAM, "fib", "20"}, environment);
  EXPECT_EQ(p.wait(), 3);
  return p.said();
}

TEST(cluster_servers, a_user_and_a_password) {
  const int port = free_port();
  const other_server s(port, at("nats://me:word", port), {"--user", "me", "--pass", "word"});
  job(s, 1, {"fib", "30"}).must_give("832040");
  EXPECT_NE(refusal(at("nats://me:guess", port)).find("does not accept this token or user and password"), std::string::npos);
}

TEST(cluster_servers, tls_with_certificates_of_our_own) {
#if defined(HEIST_TSAN)
  GTEST_SKIP() << "ThreadSanitizer sees libcrypto's locks, but not its counts of owners: it reports the last owner's delete";
#endif
  const fs::path folder = testing::TempDir() + "heist_cluster_tls_" + std::to_string(::getpid());
  fs::create_directories(folder);
  auto in = [&](const char* name) { return (folder / name).string(); };
  auto openssl = [](std::vector<std::string> words) {
    words.insert(words.begin(), "openssl");
    process p(words);
    ASSERT_EQ(p.wait(), 0) << p.said();
  };
  for (const char* who : {"ca", "other"})
    openssl({"req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", in(who) + ".key", "-out", in(who) + ".pem", "-days", "2",
             "-subj", std::string("/CN=") + who});
  openssl({"req", "-newkey", "rsa:2048", "-nodes", "-keyout", in("s.key"), "-out", in("s.csr"), "-subj", "/CN=localhost"});
  std::ofstream(in("names")) << "subjectAltName=IP:127.0.0.1";
  openssl({"x509", "-req", "-in", in("s.csr"), "-CA", in("ca.pem"), "-CAkey", in("ca.key"), "-CAcreateserial", "-out", in("s.pem"),
           "-days", "2", "-extfile", in("names")});
  const int port = free_port();
  const std::string url = at("tls://secret", port);
  const other_server s(port, url, {"--auth", "secret", "--tls", "--tlscert", in("s.pem"), "--tlskey", in("s.key")});
  job(s, 1, {"fib", "30"}, {{"HEIST_CLUSTER_CA", in("ca.pem")}}).must_give("832040");
  // Without the certificates, or with those of another, or without TLS: one sentence.
  for (const auto& why : {refusal(url), refusal(url, {{"HEIST_CLUSTER_CA", in("other.pem")}}), refusal(at("nats://secret", port))})
    EXPECT_NE(why.find("name the certificates to trust (HEIST_CLUSTER_CA)"), std::string::npos) << why;
  EXPECT_NE(refusal(url, {{"HEIST_CLUSTER_CA", "/no/such/file"}}).find("no certificates in /no/such/file"), std::string::npos);
  fs::remove_all(folder);
}

// They know each other, and keep things if they are given a folder.
std::vector<std::unique_ptr<other_server>> three(const fs::path& folder = {}) {
  std::vector<int> ports, between;
  std::string url = "nats://secret@", routes;
  for (int i = 0; i < 3; ++i) {
    ports.push_back(free_port());
    between.push_back(free_port());
    url += (i > 0 ? ",127.0.0.1:" : "127.0.0.1:") + std::to_string(ports.back());
    routes += (i > 0 ? ",nats://127.0.0.1:" : "nats://127.0.0.1:") + std::to_string(between.back());
  }
  url += "/test";
  std::vector<std::unique_ptr<other_server>> all;
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<std::string> words{"--auth", "secret", "--cluster_name", "three", "--cluster",
                                   "nats://127.0.0.1:" + std::to_string(between[i]), "--routes", routes};
    const std::string name = "server" + std::to_string(i);
    if (!folder.empty()) words.insert(words.end(), {"-n", name, "-js", "-sd", folder / name});
    all.push_back(std::make_unique<other_server>(ports[i], url, words));
  }
  return all;
}

TEST(cluster_servers, one_of_three_is_killed) {
  const auto all = three();
  job j(*all[0], 3, {"naps", "4000"});
  j.await_root();
  nap(300);
  all[0]->kill();
  j.must_give("4000");
}

// All three keep what is kept, so one of them may die, and the driver after it.
TEST(cluster_servers, a_durable_job_outlives_one_of_three) {
  const fs::path folder = testing::TempDir() + "heist_cluster_three_" + std::to_string(::getpid());
  const std::map<std::string, std::string> durable{{"HEIST_CLUSTER_DURABLE", "1"}};
  {
    const auto all = three(folder);
    nap(2000);  // until all three have agreed who leads them, one of them may keep a job alone
    auto before = std::make_unique<job>(*all[0], 1, std::vector<std::string>{"stretches", "24"}, durable);
    before->driver->await("stretch 2 begins");
    for (int i = 0; i < 3; ++i)
      EXPECT_TRUE(fs::exists(folder / ("server" + std::to_string(i)) / "jetstream" / "$G" / "streams" / "KV_heist_test")) << i;
    all[0]->kill();
    before->driver->await("stretch 5 begins");
    before->driver->signal(SIGKILL);
    before->driver->wait();
    node_process again("driver", *all[0], {"stretches", "24"}, durable);
    EXPECT_EQ(again.wait(), 0) << again.said();
    EXPECT_EQ(again.first_line(), "300") << again.said();
    EXPECT_EQ(again.said().find("stretch 1 begins"), std::string::npos) << again.said();
    EXPECT_EQ(before->helpers[0]->wait(), 0) << before->helpers[0]->said();
  }
  fs::remove_all(folder);
}

}  // namespace
