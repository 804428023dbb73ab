package main

import (
	"bench/runtimes/contest"
	"math"
)

func f(x float64) float64 { return (x*x + 1) * x }

func area(left, leftF, right, rightF float64) float64 { return (leftF + rightF) / 2 * (right - left) }

func integrate(left, leftF, right, rightF, guess float64) float64 {
	middle := left + (right-left)/2
	middleF := f(middle)
	first := area(left, leftF, middle, middleF)
	second := area(middle, middleF, right, rightF)
	if math.Abs(first+second-guess) < 1e-3 {
		return first + second
	}
	a := make(chan float64, 1)
	go func() { a <- integrate(left, leftF, middle, middleF, first) }()
	b := integrate(middle, middleF, right, rightF, second)
	return <-a + b
}

func main() {
	contest.Contestant(func(t contest.Task) float64 {
		n := float64(t.Size)
		return integrate(0, f(0), n, f(n), area(0, f(0), n, f(n)))
	})
}
