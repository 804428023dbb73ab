package main

import (
	"bench/runtimes/contest"
	"sync"
)

const leaf = 64

type block struct {
	from   []float64
	stride int
}

func (b block) quarter(row, column, half int) block {
	return block{b.from[row*half*b.stride+column*half:], b.stride}
}

func multiplyLeaf(c, a, b block) {
	for i := 0; i < leaf; i++ {
		to := c.from[i*c.stride:][:leaf]
		for k := 0; k < leaf; k++ {
			x := a.from[i*a.stride+k]
			from := b.from[k*b.stride:][:leaf]
			for j := range to {
				to[j] += x * from[j]
			}
		}
	}
}

func multiply(c, a, b block, n int) {
	if n == leaf {
		multiplyLeaf(c, a, b)
		return
	}
	h := n / 2
	for k := 0; k < 2; k++ {
		var four sync.WaitGroup
		four.Add(4)
		for part := 0; part < 4; part++ {
			i, j := part/2, part%2
			go func() {
				multiply(c.quarter(i, j, h), a.quarter(i, k, h), b.quarter(k, j, h), h)
				four.Done()
			}()
		}
		four.Wait()
	}
}

func main() {
	contest.ContestantOn(func(t contest.Task) (reset, run func(), result func() float64) {
		n := int(t.Size)
		a, b, c := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
		for i := range a {
			a[i], b[i] = float64(i%7), float64(i%5)
		}
		reset = func() {
			for i := range c {
				c[i] = 0
			}
		}
		run = func() { multiply(block{c, n}, block{a, n}, block{b, n}, n) }
		result = func() float64 {
			sum := 0.
			for i, x := range c {
				sum += x * float64(i%3)
			}
			return sum
		}
		return
	})
}
