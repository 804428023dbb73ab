// Go's contestant: as in contestant.hpp, with GOMAXPROCS as the number of workers.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

func chain(x uint64, steps int) uint64 {
	for i := 0; i < steps; i++ {
		x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15
	}
	return x
}

func both(f, g func()) {
	done := make(chan struct{})
	go func() {
		f()
		close(done)
	}()
	g()
	<-done
}

func tree(seed uint64, leaves, steps int) uint64 {
	if leaves == 1 {
		return chain(seed, steps)
	}
	var left, right uint64
	both(func() { left = tree(seed, leaves/2, steps) },
		func() { right = tree(seed+uint64(leaves/2), leaves/2, steps) })
	return left + right
}

func smaller(x, y uint32) uint32 {
	if x < y {
		return x
	}
	return y
}

func larger(x, y uint32) uint32 {
	if x < y {
		return y
	}
	return x
}

func partition(a []uint32) int {
	x, y, z := a[0], a[len(a)/2], a[len(a)-1]
	pivot := larger(smaller(x, y), smaller(larger(x, y), z))
	for i, j := 0, len(a)-1; ; i, j = i+1, j-1 {
		for a[i] < pivot {
			i++
		}
		for pivot < a[j] {
			j--
		}
		if i >= j {
			if i == 0 {
				return 1
			}
			return i
		}
		a[i], a[j] = a[j], a[i]
	}
}

func insertionSort(a []uint32) {
	for i := 1; i < len(a); i++ {
		x, j := a[i], i
		for ; j > 0 && x < a[j-1]; j-- {
			a[j] = a[j-1]
		}
		a[j] = x
	}
}

const fewestToFork = 512

func quicksort(a []uint32) {
	if len(a) <= 16 {
		insertionSort(a)
		return
	}
	n := partition(a)
	if len(a) < fewestToFork {
		quicksort(a[:n])
		quicksort(a[n:])
	} else {
		both(func() { quicksort(a[:n]) }, func() { quicksort(a[n:]) })
	}
}

func sortSome(seed uint64, size int) uint64 {
	all := make([]uint32, size)
	x := seed
	for i := range all {
		x = chain(x+1, 1)
		all[i] = uint32(x >> 32)
	}
	quicksort(all)
	var digest uint64
	for _, a := range all {
		digest = digest*31 + uint64(a)
	}
	return digest
}

// n tasks that wait and then compute.
func waitThen(n, ms int, compute func(uint64) uint64) float64 {
	var sum uint64
	var all sync.WaitGroup
	all.Add(n)
	for i := 0; i < n; i++ {
		go func(i uint64) {
			time.Sleep(time.Duration(ms) * time.Millisecond)
			atomic.AddUint64(&sum, compute(i))
			all.Done()
		}(uint64(i))
	}
	all.Wait()
	return float64(uint32(sum))
}

func pingPong(n int) float64 {
	there, back := make(chan int), make(chan int)
	go func() {
		for v := range there {
			back <- v
		}
	}()
	sum := 0
	for i := 0; i < n; i++ {
		there <- i
		sum += <-back
	}
	close(there)
	return float64(sum)
}

func sections(goroutines, n, steps int) float64 {
	var m sync.Mutex
	var all sync.WaitGroup
	x, count := uint64(1), 0
	all.Add(goroutines)
	for g := 0; g < goroutines; g++ {
		go func() {
			for i := 0; i < n; i++ {
				m.Lock()
				x = chain(x, steps)
				count++
				m.Unlock()
			}
			all.Done()
		}()
	}
	all.Wait()
	if x == 0 {
		return 0 // x is used
	}
	return float64(count)
}

func serve(c net.Conn, leaves, steps int) {
	var message [64]byte
	for {
		if _, err := io.ReadFull(c, message[:]); err != nil {
			c.Close()
			return
		}
		seed := binary.LittleEndian.Uint64(message[:8])
		binary.LittleEndian.PutUint64(message[:8], tree(seed, leaves, steps))
		if _, err := c.Write(message[:]); err != nil {
			c.Close()
			return
		}
	}
}

func listen(leaves, steps int) float64 {
	at, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	go func() {
		for {
			if c, err := at.Accept(); err == nil {
				go serve(c, leaves, steps)
			}
		}
	}()
	return float64(at.Addr().(*net.TCPAddr).Port)
}

func cpuNanoseconds() float64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano() + u.Stime.Nano())
}

func play(task string, a []int) (figure, cpu, check float64) {
	start, cpu := time.Now(), cpuNanoseconds()
	switch task {
	case "compute":
		check = waitThen(a[0], a[1], func(i uint64) uint64 { return chain(i, a[2]) })
	case "sort":
		check = waitThen(a[0], a[1], func(i uint64) uint64 { return sortSome(i, a[2]) })
	case "ping_pong":
		check = pingPong(a[0])
	case "sections":
		check = sections(a[0], a[1], a[2])
	case "listen":
		return listen(a[0], a[1]), 0, 0
	default:
		fmt.Fprintln(os.Stderr, "goroutines: there is no task", task)
		os.Exit(1)
	}
	return float64(time.Since(start).Nanoseconds()), cpuNanoseconds() - cpu, check
}

func main() {
	workers, _ := strconv.Atoi(os.Args[1])
	runtime.GOMAXPROCS(workers)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		words := strings.Fields(in.Text())
		var a []int
		for _, w := range words[1:] {
			n, _ := strconv.Atoi(w)
			a = append(a, n)
		}
		figure, cpu, check := play(words[0], a)
		fmt.Printf("%.0f %.0f %.0f\n", figure, cpu, check)
	}
}
