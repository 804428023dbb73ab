// Package contest makes a contestant in Go: as in contestant.hpp, with GOMAXPROCS as the number of workers.
package contest

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Task is what a contestant is called with.
type Task struct {
	Workers int
	Size    int64
	Kind    string
}

func parse() Task {
	var t Task
	flag.IntVar(&t.Workers, "workers", 0, "how many threads run Go code at once")
	flag.Int64Var(&t.Size, "size", 0, "the problem's size")
	flag.StringVar(&t.Kind, "kind", "", "where a problem has several")
	flag.Parse()
	if t.Workers <= 0 || t.Size <= 0 {
		flag.Usage()
		os.Exit(2)
	}
	runtime.GOMAXPROCS(t.Workers)
	return t
}

func peakKiB() string {
	status, _ := os.ReadFile("/proc/self/status")
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	return strings.Fields(after)[0]
}

func cpuSeconds() float64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// play warms up, measures and prints. Without a result function the result is what the timed call gave.
func play(prepare func(Task) (reset func(), run func() float64, result func() float64)) {
	t := parse()
	reset, run, result := prepare(t)
	reset()
	run()
	reset()
	cpu := cpuSeconds()
	start := time.Now()
	found := run()
	seconds := time.Since(start).Seconds()
	time.Sleep(50 * time.Millisecond)
	cpu = cpuSeconds() - cpu
	if result != nil {
		found = result()
	}
	fmt.Printf("{\"workers\": %d, \"size\": %d, \"seconds\": %.9f, \"cpu_seconds\": %.9f, \"result\": %.17g, \"peak_kib\": %s}\n",
		t.Workers, t.Size, seconds, cpu, found, peakKiB())
}

// Contestant is for problems whose result comes from run itself.
func Contestant(run func(Task) float64) {
	play(func(t Task) (func(), func() float64, func() float64) {
		return func() {}, func() float64 { return run(t) }, nil
	})
}

// ContestantOn is for problems that work on something in memory.
func ContestantOn(prepare func(Task) (reset, run func(), result func() float64)) {
	play(func(t Task) (func(), func() float64, func() float64) {
		reset, run, result := prepare(t)
		return reset, func() float64 { run(); return 0 }, result
	})
}

// Hash is what the tree search's numbers come from.
func Hash(x uint64) uint64 {
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb
	return x ^ (x >> 31)
}
