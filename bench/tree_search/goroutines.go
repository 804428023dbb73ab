package main

import "bench/runtimes/contest"

type tree struct {
	geometric bool
	size      int64
}

type node struct {
	number uint64
	depth  uint32
}

func (t *tree) child(n node, i uint32) node {
	number := n.number + uint64(i+1)*0x9e3779b97f4a7c15
	for e := 0; e < 4; e++ {
		number = contest.Hash(number)
	}
	return node{number, n.depth + 1}
}

func (t *tree) children(n node) uint32 {
	draw := float64(n.number>>11) / (1 << 53)
	switch {
	case !t.geometric && n.depth == 0:
		return uint32(t.size)
	case !t.geometric && draw < 0.2499:
		return 4
	case !t.geometric || int64(n.depth) == t.size:
		return 0
	case n.depth == 0:
		return 4
	}
	var k uint32
	for more := 0.8; draw < more; more *= 0.8 {
		k++
	}
	return k
}

func (t *tree) count(n node) int64 {
	children := t.children(n)
	if children == 0 {
		return 1
	}
	found := make(chan int64, children)
	for i := uint32(0); i < children; i++ {
		child := t.child(n, i)
		go func() { found <- t.count(child) }()
	}
	nodes := int64(1)
	for i := uint32(0); i < children; i++ {
		nodes += <-found
	}
	return nodes
}

func main() {
	contest.Contestant(func(t contest.Task) float64 {
		all := &tree{t.Kind == "geometric", t.Size}
		return float64(all.count(node{number: 3}))
	})
}
