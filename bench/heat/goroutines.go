package main

import (
	"bench/runtimes/contest"
	"sync"
)

const steps = 1000

// A goroutine for each worker, with its part of the rows.
func step(now, next []float64, n, workers int) {
	var all sync.WaitGroup
	all.Add(workers)
	for w := 0; w < workers; w++ {
		first, last := 1+(n-2)*w/workers, 1+(n-2)*(w+1)/workers
		go func() {
			for i := first; i < last; i++ {
				row(now[(i-1)*n:][:n], now[i*n:][:n], now[(i+1)*n:][:n], next[i*n:][:n])
			}
			all.Done()
		}()
	}
	all.Wait()
}

func row(above, here, below, to []float64) {
	for j := 1; j < len(to)-1; j++ {
		to[j] = here[j] + 0.1*(above[j]+below[j]+here[j-1]+here[j+1]-4*here[j])
	}
}

func main() {
	contest.ContestantOn(func(t contest.Task) (reset, run func(), result func() float64) {
		n := int(t.Size)
		now, next := make([]float64, n*n), make([]float64, n*n)
		reset = func() {
			for i := range now {
				now[i] = 0
				if i%n == 0 || i < n {
					now[i] = 1
				}
			}
			copy(next, now)
		}
		run = func() {
			for s := 0; s < steps; s++ {
				step(now, next, n, t.Workers)
				now, next = next, now
			}
		}
		result = func() float64 {
			sum := 0.
			for _, x := range now {
				sum += x
			}
			return sum
		}
		return
	})
}
