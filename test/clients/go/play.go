package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

const (
	smallFiller = 1 << 10
	// The last round must not fit into what a server keeps waiting for one watch.
	largeFiller = 4 << 10
)

type play struct {
	ctx         context.Context
	config      *rest.Config
	listen      *rest.Config
	namespace   string
	objectCount int
	// whether informers must have heard of every write
	strict   bool
	commands *bufio.Scanner
}

// run plays five rounds. Before and after each it tells so and waits for a line: what happens to the server and to the informers'
// connection meanwhile is not known here.
func (p *play) run() {
	p.commands = bufio.NewScanner(os.Stdin)
	client := kubernetes.NewForConfigOrDie(p.config)
	configMaps := newWriters(p, "ConfigMap", client.CoreV1().ConfigMaps(p.namespace), newConfigMap)
	pods := newWriters(p, "Pod", client.CoreV1().Pods(p.namespace), newPod)

	factory := informers.NewSharedInformerFactoryWithOptions(kubernetes.NewForConfigOrDie(p.listen), 0,
		informers.WithNamespace(p.namespace),
		informers.WithTweakListOptions(func(options *meta.ListOptions) { options.LabelSelector = "ledger=yes" }))
	listened := []struct {
		writers  writing
		informer cache.SharedIndexInformer
		told     *ledger
	}{
		{configMaps, factory.Core().V1().ConfigMaps().Informer(), newLedger("ConfigMap informer")},
		{pods, factory.Core().V1().Pods().Informer(), newLedger("Pod informer")},
	}
	var synced []cache.InformerSynced
	for _, one := range listened {
		one.told.listenTo(one.informer)
		synced = append(synced, one.informer.HasSynced)
	}
	factory.Start(p.ctx.Done())
	if !cache.WaitForCacheSync(p.ctx.Done(), synced...) {
		fail("the informers do not get in step")
	}

	both := func(name string, work func(writing)) {
		p.pause("before " + name)
		started := time.Now()
		inParallel(2, 2, func(index int) { work(listened[index].writers) })
		fmt.Fprintf(os.Stderr, "%s: %d objects of two kinds in %v\n", name, p.objectCount, time.Since(started).Round(time.Millisecond))
		p.pause("after " + name)
	}
	both("create", writing.createAll)
	both("first change", func(w writing) { w.changeAll("first", smallFiller) })
	both("second change", func(w writing) { w.changeAll("second", smallFiller) })
	reconcile := func() {
		for _, one := range listened {
			one.writers.reconcile(one.informer.GetStore(), one.told)
		}
	}
	// What is under way when the connection is cut is not told again: the informers list what came of it.
	reconcile()
	both("unheard change", writing.changeUnheard)
	reconcile()
	slow := newSlowReader(p, newLedger("slow reader"))
	both("last change", func(w writing) {
		w.changeAll("last", largeFiller)
		w.deleteHalf()
		w.sayLast()
	})
	reconcile()
	for _, one := range listened {
		fmt.Println(one.told.compare(one.writers.history(), 0, p.strict))
	}
	slow.finish(configMaps.newestRevision())
	fmt.Println(slow.told.compare(configMaps.history(), slow.from, p.strict) + fmt.Sprintf(", cut off %d times", slow.cuts))
}

// pause tells where the play is, and waits for leave to go on.
func (p *play) pause(point string) {
	fmt.Println("at " + point)
	if !p.commands.Scan() {
		fail("nobody answered %q", point)
	}
}

func objectMeta(name string) meta.ObjectMeta {
	return meta.ObjectMeta{Name: name, Labels: map[string]string{"ledger": "yes"}}
}

func newConfigMap(name string) *core.ConfigMap {
	return &core.ConfigMap{ObjectMeta: objectMeta(name), Data: map[string]string{"filler": strings.Repeat("x", smallFiller)}}
}

func newPod(name string) *core.Pod {
	no, grace := false, int64(0)
	return &core.Pod{ObjectMeta: objectMeta(name), Spec: core.PodSpec{
		AutomountServiceAccountToken:  &no,
		TerminationGracePeriodSeconds: &grace,
		Containers:                    []core.Container{{Name: "main", Image: "example.com/main:1"}},
	}}
}
