// Compiled with -fno-exceptions.
#include <heist/heist.hpp>  // refused: heist carries exceptions from branch to join: compile without -fno-exceptions

int main() {}
