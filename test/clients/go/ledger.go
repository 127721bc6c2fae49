package main

import (
	"fmt"
	"sync"

	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// ledger is what a listener was told, by name of the object. It fails at once when that cannot be: an object that is added twice,
// changed before it was added, or told in a version that is not newer than the one before.
type ledger struct {
	name string
	sync.Mutex
	objects map[string]*entry
	events  int
}

type entry struct {
	present bool
	last    int64
	told    map[int64]bool
	// versions that only deletion makes: the mark of a graceful one, and the end
	ending map[int64]bool
}

func newLedger(name string) *ledger {
	return &ledger{name: name, objects: map[string]*entry{}}
}

func (l *ledger) listenTo(informer cache.SharedIndexInformer) {
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) { l.appear(object.(meta.Object)) },
		UpdateFunc: func(before, after any) {
			// An informer that had to list again shows what it already had; no server told it so.
			if before.(meta.Object).GetResourceVersion() == after.(meta.Object).GetResourceVersion() {
				return
			}
			l.follows(before.(meta.Object))
			l.change(after.(meta.Object))
		},
		DeleteFunc: func(object any) {
			if lost, unknown := object.(cache.DeletedFinalStateUnknown); unknown {
				l.vanish(lost.Obj.(meta.Object))
			} else {
				l.disappear(object.(meta.Object))
			}
		},
	})
	check(err, "event handler")
}

func (l *ledger) appear(object meta.Object) {
	l.Lock()
	defer l.Unlock()
	entry := l.entry(object)
	if entry.present {
		fail("%s: %s was added twice", l.name, object.GetName())
	}
	entry.present = true
	l.tell("added", entry, object)
}

func (l *ledger) change(object meta.Object) {
	l.Lock()
	defer l.Unlock()
	entry := l.entry(object)
	if !entry.present {
		fail("%s: %s was changed and never added", l.name, object.GetName())
	}
	l.tell("changed", entry, object)
}

func (l *ledger) disappear(object meta.Object) {
	l.Lock()
	defer l.Unlock()
	entry := l.leave(object)
	l.tell("deleted", entry, object)
	entry.ending[entry.last] = true
}

// vanish is for an object whose deletion was not told: the last known state is shown again.
func (l *ledger) vanish(object meta.Object) {
	l.Lock()
	defer l.Unlock()
	l.leave(object)
	l.events++
}

func (l *ledger) leave(object meta.Object) *entry {
	entry := l.entry(object)
	if !entry.present {
		fail("%s: %s was deleted and not there", l.name, object.GetName())
	}
	entry.present = false
	return entry
}

func (l *ledger) follows(before meta.Object) {
	l.Lock()
	defer l.Unlock()
	if last := l.entry(before).last; parseRevision(before.GetResourceVersion()) != last {
		fail("%s: %s changed from version %s, told last was %d", l.name, before.GetName(), before.GetResourceVersion(), last)
	}
}

func (l *ledger) tell(what string, entry *entry, object meta.Object) {
	revision := parseRevision(object.GetResourceVersion())
	if revision <= entry.last {
		fail("%s: %s was %s in version %d after %d", l.name, object.GetName(), what, revision, entry.last)
	}
	entry.last = revision
	entry.told[revision] = true
	if object.GetDeletionTimestamp() != nil {
		entry.ending[revision] = true
	}
	l.events++
}

func (l *ledger) entry(object meta.Object) *entry {
	name := object.GetName()
	if l.objects[name] == nil {
		l.objects[name] = &entry{told: map[int64]bool{}, ending: map[int64]bool{}}
	}
	return l.objects[name]
}

// compare holds what was told against what was written after the revision.
func (l *ledger) compare(history map[string]*written, after int64, strict bool) string {
	l.Lock()
	defer l.Unlock()
	missed, skipped, writes := 0, 0, 0
	example := ""
	for name, object := range history {
		entry := l.objects[name]
		known := map[int64]bool{}
		for _, version := range object.versions {
			known[version.revision] = true
			if version.revision <= after {
				continue
			}
			writes++
			if entry != nil && entry.told[version.revision] {
				continue
			}
			if version.unheard {
				skipped++
			} else {
				missed++
				example = fmt.Sprintf("%s of %s, version %d of %v", version.doing, name, version.revision, object.versions)
			}
		}
		if entry == nil {
			continue
		}
		if entry.present == object.deleted {
			fail("%s: %s: told as there: %v, deleted: %v", l.name, name, entry.present, object.deleted)
		}
		for revision := range entry.told {
			if !known[revision] && !entry.ending[revision] && !object.uncertain {
				fail("%s: %s was told in version %d, which nobody wrote", l.name, name, revision)
			}
		}
	}
	if missed > 0 && strict {
		fail("%s: %d of %d writes were not told, such as %s", l.name, missed, writes, example)
	}
	text := fmt.Sprintf("%s: %d writes, %d events, %d missed, 0 twice", l.name, writes, l.events, missed)
	if skipped > 0 {
		text += fmt.Sprintf(", %d skipped while cut off", skipped)
	}
	return text
}
