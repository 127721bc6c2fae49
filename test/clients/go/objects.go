package main

import (
	"context"
	"fmt"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
)

// verbs is what the typed clients of all kinds have in common.
type verbs[T any, L any] interface {
	Create(context.Context, *T, meta.CreateOptions) (*T, error)
	Update(context.Context, *T, meta.UpdateOptions) (*T, error)
	Delete(context.Context, string, meta.DeleteOptions) error
	Get(context.Context, string, meta.GetOptions) (*T, error)
	List(context.Context, meta.ListOptions) (*L, error)
	Watch(context.Context, meta.ListOptions) (watch.Interface, error)
	Patch(context.Context, string, types.PatchType, []byte, meta.PatchOptions, ...string) (*T, error)
}

func objects(ctx context.Context, client kubernetes.Interface, namespace string) {
	labels := map[string]string{"client": "go"}
	configMap := &core.ConfigMap{
		ObjectMeta: meta.ObjectMeta{Name: "from-go", Labels: labels},
		Data:       map[string]string{"unicode": "grüße ✓"},
		BinaryData: map[string][]byte{"bytes": {0, 1, 254, 255}},
	}
	live(ctx, "ConfigMap", client.CoreV1().ConfigMaps(namespace), configMap, []watch.EventType{watch.Deleted},
		func(list *core.ConfigMapList) (int, string) { return len(list.Items), list.ResourceVersion })
	grace := int64(0)
	pod := &core.Pod{
		ObjectMeta: meta.ObjectMeta{Name: "from-go", Labels: labels},
		Spec: core.PodSpec{
			TerminationGracePeriodSeconds: &grace,
			Containers:                    []core.Container{{Name: "main", Image: "example.com/main:1"}},
		},
	}
	// A kind that is deleted gracefully is marked first, even when the grace is over at once.
	live(ctx, "Pod", client.CoreV1().Pods(namespace), pod, []watch.EventType{watch.Modified, watch.Deleted},
		func(list *core.PodList) (int, string) { return len(list.Items), list.ResourceVersion })
}

// live goes through every verb; ending is what a watch tells of the delete.
func live[T any, L any](
	ctx context.Context,
	kind string,
	client verbs[T, L],
	object *T,
	ending []watch.EventType,
	describe func(*L) (int, string),
) {
	selector := meta.ListOptions{LabelSelector: "client=go"}
	list, err := client.List(ctx, selector)
	check(err, "list "+kind)
	before, version := describe(list)
	if before != 0 {
		fail("%s: %d objects before the first was created", kind, before)
	}
	from := selector
	from.ResourceVersion = version
	events, err := client.Watch(ctx, from)
	check(err, "watch "+kind)
	defer events.Stop()

	created, err := client.Create(ctx, object, meta.CreateOptions{})
	check(err, "create "+kind)
	_, err = client.Create(ctx, object, meta.CreateOptions{})
	if !errors.IsAlreadyExists(err) {
		fail("%s: second create: %v", kind, err)
	}
	read, err := client.Get(ctx, "from-go", meta.GetOptions{})
	check(err, "get "+kind)
	accessor(read).SetAnnotations(map[string]string{"updated": "yes"})
	updated, err := client.Update(ctx, read, meta.UpdateOptions{})
	check(err, "update "+kind)
	accessor(created).SetAnnotations(map[string]string{"too": "late"})
	if _, err = client.Update(ctx, created, meta.UpdateOptions{}); !errors.IsConflict(err) {
		fail("%s: update of an old version: %v", kind, err)
	}
	patched, err := client.Patch(ctx, "from-go", types.StrategicMergePatchType, []byte(`{"metadata":{"annotations":{"patched":"yes"}}}`), meta.PatchOptions{})
	check(err, "patch "+kind)
	if len(accessor(patched).GetAnnotations()) != 2 {
		fail("%s: annotations after the patch: %v", kind, accessor(patched).GetAnnotations())
	}
	list, err = client.List(ctx, selector)
	check(err, "list "+kind)
	if count, _ := describe(list); count != 1 {
		fail("%s: %d objects in the list", kind, count)
	}
	check(client.Delete(ctx, "from-go", meta.DeleteOptions{}), "delete "+kind)
	if _, err = client.Get(ctx, "from-go", meta.GetOptions{}); !errors.IsNotFound(err) {
		fail("%s: get after delete: %v", kind, err)
	}
	expectEvents(kind, events, ending, []string{accessor(created).GetResourceVersion(), accessor(updated).GetResourceVersion(), accessor(patched).GetResourceVersion()})
	fmt.Printf("ok %s\n", kind)
}

// expectEvents wants one ADDED, two MODIFIED and the ending, with the versions that the writes were answered with.
func expectEvents(kind string, events watch.Interface, ending []watch.EventType, versions []string) {
	expected := append([]watch.EventType{watch.Added, watch.Modified, watch.Modified}, ending...)
	for index, want := range expected {
		event, open := <-events.ResultChan()
		if !open || event.Type != want {
			fail("%s: event %d is %v (open: %v), expected %v", kind, index, event.Type, open, want)
		}
		version := event.Object.(meta.Object).GetResourceVersion()
		if index < len(versions) && version != versions[index] {
			fail("%s: event %d has version %s, the write was answered with %s", kind, index, version, versions[index])
		}
	}
}

func accessor[T any](object *T) meta.Object {
	return any(object).(meta.Object)
}
