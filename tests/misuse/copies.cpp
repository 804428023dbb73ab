// Scopes, pools and locks stay where they are.
#include <heist/heist.hpp>

#include <utility>

void scopes(heist::scope& s, heist::scope& t) {
  heist::scope copied(s);             // refused: deleted
  heist::scope moved(std::move(t));   // refused: deleted
  s = t;                              // refused: deleted
}

void pools(heist::pool& p, heist::pool& q) {
  heist::pool copied(p);              // refused: deleted
  heist::pool moved(std::move(q));    // refused: deleted
  p = q;                              // refused: deleted
}

void mutexes(heist::mutex& m, heist::mutex& n) {
  heist::mutex copied(m);             // refused: deleted
  heist::mutex moved(std::move(n));   // refused: deleted
  m = n;                              // refused: deleted
}
