package main

import "bench/runtimes/contest"

const callers, root = 4, 12

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
	contest.Contestant(func(t contest.Task) float64 {
		sums := make(chan int64, callers)
		for c := 0; c < callers; c++ {
			go func() {
				var sum int64
				for i := int64(0); i < t.Size; i++ {
					sum += fib(root)
				}
				sums <- sum
			}()
		}
		var all int64
		for c := 0; c < callers; c++ {
			all += <-sums
		}
		return float64(all)
	})
}
