#pragma once
long fib_elsewhere(int n);
long sum_elsewhere(long n);
