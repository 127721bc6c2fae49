package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
)

const clientCount = 16

// written is what one object went through, in order. Nobody else writes it, so that its versions form one sequence.
type written struct {
	versions []version
	// an answer was lost: versions may exist that nobody told us
	uncertain bool
	deleted   bool
}

type version struct {
	revision int64
	// what wrote it
	doing string
	// informers were cut off at that time, so that they may have to skip it
	unheard bool
}

// writing is what can be done with all objects of a kind.
type writing interface {
	createAll()
	changeAll(mark string, filler int)
	changeUnheard()
	deleteHalf()
	sayLast()
	reconcile(store cache.Store, told *ledger)
	history() map[string]*written
	newestRevision() int64
}

type verbsOf[T any] interface {
	Create(context.Context, *T, meta.CreateOptions) (*T, error)
	Get(context.Context, string, meta.GetOptions) (*T, error)
	Patch(context.Context, string, types.PatchType, []byte, meta.PatchOptions, ...string) (*T, error)
	Delete(context.Context, string, meta.DeleteOptions) error
}

type writers[T any] struct {
	*play
	kind   string
	client verbsOf[T]
	make   func(name string) *T
	names  []string
	sync.Mutex
	objects map[string]*written
	newest  int64
}

func newWriters[T any](p *play, kind string, client verbsOf[T], make func(string) *T) *writers[T] {
	w := &writers[T]{play: p, kind: kind, client: client, make: make, objects: map[string]*written{}}
	for index := range p.objectCount {
		name := fmt.Sprintf("ledger-%05d", index)
		w.names = append(w.names, name)
		w.objects[name] = &written{}
	}
	return w
}

func (w *writers[T]) createAll() {
	w.each(func(_ int, name string) {
		w.retry(name, "create", func() (*T, error) {
			object, err := w.client.Create(w.ctx, w.make(name), meta.CreateOptions{})
			if errors.IsAlreadyExists(err) {
				return w.client.Get(w.ctx, name, meta.GetOptions{})
			}
			return object, err
		}, false)
	})
}

func (w *writers[T]) changeAll(mark string, filler int) {
	w.each(func(_ int, name string) { w.change(name, mark, filler, false) })
}

// changeUnheard changes every object, some twice, and deletes some: what informers must find out without having heard of it.
func (w *writers[T]) changeUnheard() {
	w.each(func(index int, name string) {
		if index%10 == 0 {
			w.delete(name)
			return
		}
		w.change(name, "unheard", smallFiller, true)
		if index%10 == 1 {
			w.change(name, "unheard again", smallFiller, true)
		}
	})
}

func (w *writers[T]) deleteHalf() {
	w.each(func(index int, name string) {
		if index%2 == 0 {
			w.delete(name)
		}
	})
}

// sayLast writes once more, so that whoever has seen the newest version has seen the deletions, too.
func (w *writers[T]) sayLast() { w.change(w.names[1], "end", smallFiller, false) }

func (w *writers[T]) change(name, mark string, filler int, unheard bool) {
	if w.objects[name].deleted {
		return
	}
	patch := fmt.Sprintf(`{"metadata":{"annotations":{"mark":%q,"filler":%q}}}`, mark, strings.Repeat("y", filler))
	w.retry(name, mark+" patch", func() (*T, error) {
		return w.client.Patch(w.ctx, name, types.MergePatchType, []byte(patch), meta.PatchOptions{})
	}, unheard)
}

func (w *writers[T]) delete(name string) {
	w.retry(name, "delete", func() (*T, error) {
		if err := w.client.Delete(w.ctx, name, meta.DeleteOptions{}); err != nil && !errors.IsNotFound(err) {
			return nil, err
		}
		return nil, nil
	}, false)
	w.objects[name].deleted = true
}

// retry goes on while the server is away.
func (w *writers[T]) retry(name, doing string, attempt func() (*T, error), unheard bool) {
	for {
		object, err := attempt()
		if err == nil {
			if object != nil {
				w.note(name, version{parseRevision(accessor(object).GetResourceVersion()), doing, unheard})
			}
			return
		}
		reason := errors.ReasonForError(err)
		if w.ctx.Err() != nil || reason == meta.StatusReasonInvalid || reason == meta.StatusReasonBadRequest {
			fail("%s of %s %s: %v", doing, w.kind, name, err)
		}
		w.objects[name].uncertain = true
		time.Sleep(20 * time.Millisecond)
	}
}

func (w *writers[T]) note(name string, written version) {
	object := w.objects[name]
	if count := len(object.versions); count > 0 && object.versions[count-1].revision >= written.revision {
		if object.versions[count-1].revision == written.revision && object.uncertain {
			return
		}
		fail("%s %s: a write was answered with version %d after %d", w.kind, name, written.revision, object.versions[count-1].revision)
	}
	object.versions = append(object.versions, written)
	w.Lock()
	w.newest = max(w.newest, written.revision)
	w.Unlock()
}

func (w *writers[T]) history() map[string]*written { return w.objects }

func (w *writers[T]) newestRevision() int64 { return w.newest }

// reconcile waits until the informer holds what the server has, and for events that come although nothing is left to tell.
func (w *writers[T]) reconcile(store cache.Store, told *ledger) {
	for deadline := time.Now().Add(90 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		difference := w.difference(store)
		if difference == "" {
			break
		}
		if time.Now().After(deadline) {
			fail("%s: the informer does not come to what was written: %s", told.name, difference)
		}
	}
	time.Sleep(time.Second)
}

func (w *writers[T]) difference(store cache.Store) string {
	left := 0
	for name, object := range w.objects {
		held, exists, _ := store.GetByKey(w.namespace + "/" + name)
		if exists == object.deleted {
			return fmt.Sprintf("%s: held %v, deleted %v", name, exists, object.deleted)
		}
		if !exists {
			continue
		}
		left++
		newest := object.versions[len(object.versions)-1].revision
		if revision := parseRevision(held.(meta.Object).GetResourceVersion()); revision != newest {
			return fmt.Sprintf("%s has version %d, not %d", name, revision, newest)
		}
	}
	if count := len(store.ListKeys()); count != left {
		return fmt.Sprintf("%d objects, not %d", count, left)
	}
	return ""
}

func (w *writers[T]) each(work func(index int, name string)) {
	inParallel(len(w.names), clientCount, func(index int) { work(index, w.names[index]) })
}

func inParallel(count, workers int, work func(index int)) {
	var group sync.WaitGroup
	for worker := range workers {
		group.Go(func() {
			for index := worker; index < count; index += workers {
				work(index)
			}
		})
	}
	group.Wait()
}

func parseRevision(text string) int64 {
	revision, err := strconv.ParseInt(text, 10, 64)
	check(err, "resourceVersion")
	return revision
}
