package snapshots

import (
	"context"
	"maps"
	"os"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

// go test ./snapshots, with KUBECONFIG of a server that was started by: npx wheelhouse --wheelhouse-api=snapshots
func connect(t *testing.T) (*kubernetes.Clientset, Wheelhouse) {
	t.Helper()
	if os.Getenv("KUBECONFIG") == "" {
		t.Skip("KUBECONFIG names no server: npx wheelhouse --wheelhouse-api=snapshots starts one")
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		t.Fatal(err)
	}
	api, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	wheelhouse := Wheelhouse{api.Discovery().RESTClient()}
	start, err := wheelhouse.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := wheelhouse.Restore(context.Background(), start); err != nil {
			t.Error(err)
		}
	})
	return api, wheelhouse
}

func create(t *testing.T, api *kubernetes.Clientset, name string, data map[string]string) {
	t.Helper()
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: data}
	if _, err := api.CoreV1().ConfigMaps("default").Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func TestCreatePatchApplyDelete(t *testing.T) {
	api, _ := connect(t)
	ctx := t.Context()
	configMaps := api.CoreV1().ConfigMaps("default")
	create(t, api, "one", map[string]string{"a": "1"})
	if _, err := configMaps.Patch(ctx, "one", types.MergePatchType, []byte(`{"data":{"b":"2"}}`), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	applied := applycorev1.ConfigMap("one", "default").WithData(map[string]string{"c": "3"})
	result, err := configMaps.Apply(ctx, applied, metav1.ApplyOptions{FieldManager: "example"})
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(result.Data, map[string]string{"a": "1", "b": "2", "c": "3"}) {
		t.Errorf("got %v", result.Data)
	}
	if err := configMaps.Delete(ctx, "one", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := configMaps.Get(ctx, "one", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("got %v", err)
	}
}

func TestWatchAndInformer(t *testing.T) {
	api, _ := connect(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	watching, err := api.CoreV1().ConfigMaps("default").Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=seen"})
	if err != nil {
		t.Fatal(err)
	}
	defer watching.Stop()
	events := make(chan string, 10)
	factory := informers.NewSharedInformerFactoryWithOptions(api, 0, informers.WithNamespace("default"))
	named := func(what string) func(any) {
		return func(object any) {
			if one, ok := object.(*corev1.ConfigMap); ok && one.Name == "seen" {
				events <- what
			}
		}
	}
	handler := cache.ResourceEventHandlerFuncs{AddFunc: named("ADDED"), DeleteFunc: named("DELETED")}
	if _, err := factory.Core().V1().ConfigMaps().Informer().AddEventHandler(handler); err != nil {
		t.Fatal(err)
	}
	factory.StartWithContext(ctx)
	factory.WaitForCacheSyncWithContext(ctx)
	create(t, api, "seen", nil)
	if err := api.CoreV1().ConfigMaps("default").Delete(ctx, "seen", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, expected := range []string{"ADDED", "DELETED"} {
		select {
		case event := <-watching.ResultChan():
			if string(event.Type) != expected {
				t.Errorf("the watch sees %s, not %s", event.Type, expected)
			}
		case <-ctx.Done():
			t.Fatalf("the watch does not see %s", expected)
		}
		select {
		case event := <-events:
			if event != expected {
				t.Errorf("the informer sees %s, not %s", event, expected)
			}
		case <-ctx.Done():
			t.Fatalf("the informer does not see %s", expected)
		}
	}
}

func TestSnapshotRestoreReset(t *testing.T) {
	api, wheelhouse := connect(t)
	ctx := t.Context()
	exists := func(name string) bool {
		_, err := api.CoreV1().ConfigMaps("default").Get(ctx, name, metav1.GetOptions{})
		return err == nil
	}
	create(t, api, "kept", nil)
	snapshot, err := wheelhouse.Snapshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	create(t, api, "lost", nil)
	if err := wheelhouse.Restore(ctx, snapshot); err != nil {
		t.Fatal(err)
	}
	if !exists("kept") || exists("lost") {
		t.Error("not what the snapshot has")
	}
	if err := wheelhouse.Reset(ctx); err != nil {
		t.Fatal(err)
	}
	if exists("kept") {
		t.Error("not what there was at the start")
	}
}
