package main

import (
	"bench/runtimes/contest"
	"math/bits"
)

type board struct{ all, columns, left, right uint32 }

func (b board) with(place uint32) board {
	return board{b.all, b.columns | place, (b.left | place) << 1, (b.right | place) >> 1}
}

func ways(b board) int64 {
	if b.columns == b.all {
		return 1
	}
	places := b.all &^ (b.columns | b.left | b.right)
	children := bits.OnesCount32(places)
	found := make(chan int64, children)
	for ; places != 0; places &= places - 1 {
		next := b.with(places & -places)
		go func() { found <- ways(next) }()
	}
	var sum int64
	for i := 0; i < children; i++ {
		sum += <-found
	}
	return sum
}

func main() {
	contest.Contestant(func(t contest.Task) float64 { return float64(ways(board{all: 1<<t.Size - 1})) })
}
