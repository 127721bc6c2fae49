package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

const (
	objectCount = 200
	rounds      = 6
)

// ledger is what the informer told, by name of the object.
type ledger struct {
	sync.Mutex
	added, deleted map[string]int
	// seen holds every version of an object that was told, in order
	seen map[string][]string
}

func (l *ledger) note(counts map[string]int, object any) {
	configMap, known := object.(*core.ConfigMap)
	if !known {
		configMap = object.(cache.DeletedFinalStateUnknown).Obj.(*core.ConfigMap)
	}
	l.Lock()
	defer l.Unlock()
	if counts != nil {
		counts[configMap.Name]++
	}
	l.seen[configMap.Name] = append(l.seen[configMap.Name], configMap.ResourceVersion)
}

// informer creates objects, updates each several times and deletes every second one. After "half" is printed the server may be
// restarted: writes are tried again until they succeed, and the informer finds its way back by itself.
func informer(ctx context.Context, client kubernetes.Interface, namespace string) {
	told := &ledger{added: map[string]int{}, deleted: map[string]int{}, seen: map[string][]string{}}
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace),
		informers.WithTweakListOptions(func(options *meta.ListOptions) { options.LabelSelector = "ledger=yes" }))
	shared := factory.Core().V1().ConfigMaps().Informer()
	_, err := shared.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { told.note(told.added, object) },
		UpdateFunc: func(_, object any) { told.note(nil, object) },
		DeleteFunc: func(object any) { told.note(told.deleted, object) },
	})
	check(err, "event handler")
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), shared.HasSynced) {
		fail("the informer does not get in step")
	}

	configMaps := client.CoreV1().ConfigMaps(namespace)
	written := map[string]map[string]bool{}
	note := func(object *core.ConfigMap) {
		if written[object.Name] == nil {
			written[object.Name] = map[string]bool{}
		}
		written[object.Name][object.ResourceVersion] = true
	}
	for round := range rounds {
		if round == rounds/2 {
			fmt.Println("half")
		}
		for index := range objectCount {
			name := fmt.Sprintf("ledger-%d", index)
			if round == rounds-1 && index%2 == 0 {
				retry(ctx, "delete", func() error { return ignoreNotFound(configMaps.Delete(ctx, name, meta.DeleteOptions{})) })
				continue
			}
			desired := &core.ConfigMap{
				ObjectMeta: meta.ObjectMeta{Name: name, Labels: map[string]string{"ledger": "yes"}},
				Data:       map[string]string{"round": fmt.Sprint(round)},
			}
			retry(ctx, "write", func() error {
				var object *core.ConfigMap
				var err error
				if round == 0 {
					object, err = configMaps.Create(ctx, desired, meta.CreateOptions{})
				} else {
					object, err = configMaps.Update(ctx, desired, meta.UpdateOptions{})
				}
				if err == nil {
					note(object)
				}
				return err
			})
		}
	}
	account(ctx, configMaps.List, shared.GetStore(), told, written)
}

func account(
	ctx context.Context,
	list func(context.Context, meta.ListOptions) (*core.ConfigMapList, error),
	store cache.Store,
	told *ledger,
	written map[string]map[string]bool,
) {
	actual, err := list(ctx, meta.ListOptions{LabelSelector: "ledger=yes"})
	check(err, "list")
	if len(actual.Items) != objectCount/2 {
		fail("%d objects are left, expected %d", len(actual.Items), objectCount/2)
	}
	for deadline := time.Now().Add(20 * time.Second); !sameVersions(actual, store); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			fail("the informer's store does not come to what the server has: %d of %d objects", len(store.List()), len(actual.Items))
		}
	}
	time.Sleep(500 * time.Millisecond)
	told.Lock()
	defer told.Unlock()
	missed := 0
	for index := range objectCount {
		name := fmt.Sprintf("ledger-%d", index)
		deletes := 1 - index%2
		if told.added[name] != 1 || told.deleted[name] != deletes {
			fail("%s was told as added %d times and deleted %d times", name, told.added[name], told.deleted[name])
		}
		once := map[string]bool{}
		for _, version := range told.seen[name] {
			if once[version] {
				fail("%s: version %s was told twice", name, version)
			}
			once[version] = true
		}
		for version := range written[name] {
			if !once[version] {
				missed++
			}
		}
	}
	fmt.Printf("ok informer: %d objects, %d versions in between were not told\n", objectCount, missed)
}

func sameVersions(actual *core.ConfigMapList, store cache.Store) bool {
	held := store.List()
	if len(held) != len(actual.Items) {
		return false
	}
	versions := map[string]string{}
	for _, object := range held {
		configMap := object.(*core.ConfigMap)
		versions[configMap.Name] = configMap.ResourceVersion
	}
	for _, item := range actual.Items {
		if versions[item.Name] != item.ResourceVersion {
			return false
		}
	}
	return true
}

// retry goes on while the server is away. An answer that was lost may have been a success: AlreadyExists then is one.
func retry(ctx context.Context, doing string, attempt func() error) {
	for {
		err := attempt()
		if err == nil || errors.IsAlreadyExists(err) {
			return
		}
		if ctx.Err() != nil {
			fail("%s: %v", doing, err)
		}
		if status := errors.ReasonForError(err); status == meta.StatusReasonInvalid || status == meta.StatusReasonBadRequest {
			fail("%s: %v", doing, err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func ignoreNotFound(err error) error {
	if errors.IsNotFound(err) {
		return nil
	}
	return err
}
