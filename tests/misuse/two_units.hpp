#pragma once
// Defined in the second translation unit.
long fib_elsewhere(int n);
int twice_elsewhere(int n);
