package main

import (
	"bench/runtimes/contest"
	"sync"
)

func step(x uint64, chain int64) uint64 {
	for i := int64(0); i < chain; i++ {
		x = x*0x5851f42d4c957f2d + 0x14057b7ef767814f
	}
	return x
}

// A goroutine for each worker, with its part of the elements.
func loop(v []uint64, chain int64, workers int) {
	var all sync.WaitGroup
	all.Add(workers)
	for w := 0; w < workers; w++ {
		part := v[len(v)*w/workers : len(v)*(w+1)/workers]
		go func() {
			for i := range part {
				part[i] = step(part[i], chain)
			}
			all.Done()
		}()
	}
	all.Wait()
}

func main() {
	contest.ContestantOn(func(t contest.Task) (reset, run func(), result func() float64) {
		loops := 20000 / t.Size
		if loops < 1 {
			loops = 1
		}
		v := make([]uint64, 100)
		reset = func() {
			for i := range v {
				v[i] = uint64(i + 1)
			}
		}
		run = func() {
			for i := int64(0); i < loops; i++ {
				loop(v, 8*t.Size, t.Workers)
			}
		}
		result = func() float64 {
			var sum uint64
			for _, x := range v {
				sum += x >> 32
			}
			return float64(sum)
		}
		return
	})
}
