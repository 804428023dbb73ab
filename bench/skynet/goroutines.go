package main

import "bench/runtimes/contest"

func sum(first, leaves int64) int64 {
	if leaves == 1 {
		return first
	}
	found := make(chan int64, 10)
	for i := int64(0); i < 10; i++ {
		child := first + i*(leaves/10)
		go func() { found <- sum(child, leaves/10) }()
	}
	var all int64
	for i := 0; i < 10; i++ {
		all += <-found
	}
	return all
}

func main() {
	contest.Contestant(func(t contest.Task) float64 { return float64(sum(0, t.Size)) })
}
