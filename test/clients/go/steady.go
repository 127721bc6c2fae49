package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

const (
	steadyWriters   = 8
	objectsOfWriter = 20
	steadyPause     = 10 * time.Millisecond
)

// steady writes and reads without a break until a line comes, while informers listen. Nothing is tried again here: what fails is what
// client-go itself does not try again.
type steady struct {
	*play
	stop    atomic.Bool
	objects map[string]*written
	reads   atomic.Int64
	writes  atomic.Int64
	sync.Mutex
	failures map[string]int
	newest   int64
}

// connection returns a client that shares its connection with no other.
func (s *steady) connection() kubernetes.Interface {
	config := rest.CopyConfig(s.config)
	config.Dial = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	return kubernetes.NewForConfigOrDie(config)
}

func (s *steady) run() {
	s.objects = map[string]*written{}
	s.failures = map[string]int{}
	var told []*ledger
	var synced []cache.InformerSynced
	var stores []cache.Store
	for index := range 4 {
		factory := informers.NewSharedInformerFactoryWithOptions(s.connection(), 0,
			informers.WithNamespace(s.namespace),
			informers.WithTweakListOptions(func(options *meta.ListOptions) { options.LabelSelector = "ledger=yes" }))
		informer := factory.Core().V1().ConfigMaps().Informer()
		one := newLedger(fmt.Sprintf("informer %d", index+1))
		one.listenTo(informer)
		told, synced, stores = append(told, one), append(synced, informer.HasSynced), append(stores, informer.GetStore())
		factory.Start(s.ctx.Done())
	}
	if !cache.WaitForCacheSync(s.ctx.Done(), synced...) {
		fail("the informers do not get in step")
	}
	names := make([][]string, steadyWriters)
	for writer := range names {
		for index := range objectsOfWriter {
			name := fmt.Sprintf("steady-%d-%d", writer, index)
			names[writer] = append(names[writer], name)
			s.objects[name] = &written{}
		}
	}
	var group sync.WaitGroup
	for _, own := range names {
		group.Go(func() { s.write(s.connection(), own) })
	}
	for range 4 {
		group.Go(func() { s.read(s.connection()) })
	}
	fmt.Println("at work")
	bufio.NewScanner(os.Stdin).Scan()
	s.stop.Store(true)
	group.Wait()
	s.settle(stores)
	for _, one := range told {
		fmt.Println(one.compare(s.objects, 0, true))
	}
	fmt.Printf("%d writes, %d reads, %d kinds of failures\n", s.writes.Load(), s.reads.Load(), len(s.failures))
	for text, count := range s.failures {
		fmt.Printf("failed %d times: %s\n", count, text)
	}
}

func (s *steady) write(client kubernetes.Interface, names []string) {
	maps := client.CoreV1().ConfigMaps(s.namespace)
	for round := 0; !s.stop.Load(); round++ {
		name := names[round%len(names)]
		object := s.objects[name]
		if len(object.versions) == 0 || object.deleted {
			s.note(object, "create", func(ctx context.Context) (*core.ConfigMap, error) {
				return maps.Create(ctx, newConfigMap(name), meta.CreateOptions{})
			})
		} else if round%97 == 96 {
			s.note(object, "delete", func(ctx context.Context) (*core.ConfigMap, error) {
				return nil, maps.Delete(ctx, name, meta.DeleteOptions{})
			})
		} else {
			patch := fmt.Sprintf(`{"metadata":{"annotations":{"round":"%d"}}}`, round)
			s.note(object, "patch", func(ctx context.Context) (*core.ConfigMap, error) {
				return maps.Patch(ctx, name, types.MergePatchType, []byte(patch), meta.PatchOptions{})
			})
		}
		time.Sleep(steadyPause)
	}
}

func (s *steady) note(object *written, doing string, attempt func(context.Context) (*core.ConfigMap, error)) {
	answer, err := attempt(s.ctx)
	if err != nil {
		// Whether it happened is not known: what informers tell of it is not held against them.
		object.uncertain = true
		s.failed(doing, err)
		return
	}
	s.writes.Add(1)
	object.deleted = doing == "delete"
	if answer == nil {
		return
	}
	revision := parseRevision(answer.ResourceVersion)
	object.versions = append(object.versions, version{revision, doing, false})
	s.Lock()
	s.newest = max(s.newest, revision)
	s.Unlock()
}

func (s *steady) read(client kubernetes.Interface) {
	for round := 0; !s.stop.Load(); round++ {
		var err error
		if round%10 == 0 {
			_, err = client.CoreV1().ConfigMaps(s.namespace).List(s.ctx, meta.ListOptions{Limit: 50})
		} else {
			_, err = client.CoreV1().Namespaces().Get(s.ctx, s.namespace, meta.GetOptions{})
		}
		if err != nil {
			s.failed("read", err)
		} else {
			s.reads.Add(1)
		}
		time.Sleep(steadyPause)
	}
}

func (s *steady) failed(doing string, err error) {
	s.Lock()
	defer s.Unlock()
	s.failures[doing+": "+err.Error()]++
}

// settle waits until every informer holds what a fresh list has, and compares that with what was acknowledged.
func (s *steady) settle(stores []cache.Store) {
	list, err := s.connection().CoreV1().ConfigMaps(s.namespace).List(s.ctx, meta.ListOptions{LabelSelector: "ledger=yes"})
	check(err, "last list")
	there := map[string]int64{}
	for _, item := range list.Items {
		there[item.Name] = parseRevision(item.ResourceVersion)
	}
	for name, object := range s.objects {
		revision, exists := there[name]
		if object.uncertain || len(object.versions) == 0 {
			object.deleted = !exists
			continue
		}
		if exists == object.deleted {
			fail("%s: deleted %v, there %v: an acknowledged write is lost", name, object.deleted, exists)
		}
		if newest := object.versions[len(object.versions)-1].revision; exists && revision != newest {
			fail("%s: version %d, acknowledged %d", name, revision, newest)
		}
	}
	for _, store := range stores {
		for deadline := time.Now().Add(30 * time.Second); !s.holds(store, there); time.Sleep(50 * time.Millisecond) {
			if time.Now().After(deadline) {
				fail("an informer does not come to what is there")
			}
		}
	}
	time.Sleep(time.Second)
}

func (s *steady) holds(store cache.Store, there map[string]int64) bool {
	if len(store.ListKeys()) != len(there) {
		return false
	}
	for name, revision := range there {
		held, exists, _ := store.GetByKey(s.namespace + "/" + name)
		if !exists || parseRevision(held.(meta.Object).GetResourceVersion()) != revision {
			return false
		}
	}
	return true
}
