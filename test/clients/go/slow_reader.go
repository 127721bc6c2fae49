package main

import (
	"fmt"

	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// slowReader watches ConfigMaps over a connection of its own and takes nothing from it until it is told to. A server ends such a
// watch rather than keep everything for it; the reader goes on where it was.
type slowReader struct {
	*play
	client kubernetes.Interface
	told   *ledger
	from   int64
	events watch.Interface
	last   int64
	cuts   int
}

func newSlowReader(p *play, told *ledger, from int64) *slowReader {
	config := rest.CopyConfig(p.config)
	// Configurations that differ have connections that differ.
	config.UserAgent = "slow-reader"
	config.TLSClientConfig.NextProtos = []string{"http/1.1"}
	reader := &slowReader{play: p, client: kubernetes.NewForConfigOrDie(config), told: told, from: from, last: from}
	reader.watch()
	return reader
}

func (r *slowReader) watch() {
	events, err := r.client.CoreV1().ConfigMaps(r.namespace).Watch(r.ctx, meta.ListOptions{
		LabelSelector: "ledger=yes", ResourceVersion: fmt.Sprint(r.last),
	})
	check(err, "watch of the slow reader")
	r.events = events
}

// readUntil takes events until the given revision has been told.
func (r *slowReader) readUntil(revision int64) {
	for r.last < revision {
		event, open := <-r.events.ResultChan()
		if !open {
			if r.ctx.Err() != nil {
				fail("slow reader: at version %d of %d when time was over", r.last, revision)
			}
			r.cuts++
			r.watch()
			continue
		}
		object, known := event.Object.(meta.Object)
		if event.Type == watch.Error || !known {
			fail("slow reader: %v", event.Object)
		}
		r.take(event.Type, object)
	}
	r.events.Stop()
}

func (r *slowReader) take(kind watch.EventType, object meta.Object) {
	r.last = parseRevision(object.GetResourceVersion())
	switch kind {
	case watch.Modified:
		// It was there when the reader came.
		if entry := r.told.entry(object); entry.last == 0 {
			entry.present = true
		}
		r.told.change(object)
	case watch.Deleted:
		r.told.disappear(object)
	default:
		fail("slow reader: %s of %s", kind, object.GetName())
	}
}
