package main

import (
	"fmt"
	"math"
	"time"

	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// How long nothing is read. No server remembers for ever; a minute is what upstream promises.
const stall = 20 * time.Second

// slowReader watches ConfigMaps over a connection of its own and takes nothing from it for a while. A server ends such a watch
// rather than keep everything for it; the reader goes on where it was.
type slowReader struct {
	*play
	client kubernetes.Interface
	told   *ledger
	from   int64
	events watch.Interface
	last   int64
	cuts   int
	// the newest version to read, when it is known
	until chan int64
	done  chan struct{}
}

func newSlowReader(p *play, told *ledger) *slowReader {
	config := rest.CopyConfig(p.config)
	// Configurations that differ have connections that differ.
	config.UserAgent = "slow-reader"
	config.TLSClientConfig.NextProtos = []string{"http/1.1"}
	reader := &slowReader{
		play: p, client: kubernetes.NewForConfigOrDie(config), told: told, until: make(chan int64, 1), done: make(chan struct{}),
	}
	list, err := reader.client.CoreV1().ConfigMaps(p.namespace).List(p.ctx, meta.ListOptions{Limit: 1})
	check(err, "list of the slow reader")
	reader.from = parseRevision(list.ResourceVersion)
	reader.last = reader.from
	reader.watch()
	go reader.read()
	return reader
}

func (r *slowReader) watch() {
	events, err := r.client.CoreV1().ConfigMaps(r.namespace).Watch(r.ctx, meta.ListOptions{
		LabelSelector: "ledger=yes", ResourceVersion: fmt.Sprint(r.last),
	})
	check(err, "watch of the slow reader")
	r.events = events
}

func (r *slowReader) read() {
	defer close(r.done)
	time.Sleep(stall)
	goal := int64(math.MaxInt64)
	for r.last < goal {
		select {
		case goal = <-r.until:
		case event, open := <-r.events.ResultChan():
			if open {
				r.take(event)
				continue
			}
			if r.ctx.Err() != nil {
				fail("slow reader: at version %d of %d when time was over", r.last, goal)
			}
			r.cuts++
			r.watch()
		}
	}
	r.events.Stop()
}

// finish waits until the given version has been read.
func (r *slowReader) finish(newest int64) {
	r.until <- newest
	<-r.done
}

func (r *slowReader) take(event watch.Event) {
	object, known := event.Object.(meta.Object)
	if event.Type == watch.Error || !known {
		fail("slow reader: %v", event.Object)
	}
	r.last = parseRevision(object.GetResourceVersion())
	switch event.Type {
	case watch.Modified:
		// It was there when the reader came.
		if entry := r.told.entry(object); entry.last == 0 {
			entry.present = true
		}
		r.told.change(object)
	case watch.Deleted:
		r.told.disappear(object)
	default:
		fail("slow reader: %s of %s", event.Type, object.GetName())
	}
}
