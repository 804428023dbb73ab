package main

import "bench/runtimes/contest"

func fib(n int64) int64 {
	if n < 2 {
		return n
	}
	a := make(chan int64, 1)
	go func() { a <- fib(n - 1) }()
	b := fib(n - 2)
	return <-a + b
}

func main() {
	contest.Contestant(func(t contest.Task) float64 { return float64(fib(t.Size)) })
}
