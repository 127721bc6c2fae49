package greeting

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// start starts etcd, the API server and the operator, and returns a client.
func start(t *testing.T) client.Client {
	t.Helper()
	began := time.Now()
	environment := &envtest.Environment{
		CRDDirectoryPaths:     []string{"config"},
		ErrorIfCRDPathMissing: true,
		WebhookInstallOptions: envtest.WebhookInstallOptions{Paths: []string{"config/webhooks.yaml"}},
	}
	config, err := environment.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("environment started in %d ms", time.Since(began).Milliseconds())
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	t.Cleanup(func() {
		cancel()
		<-done
		stopping := time.Now()
		if err := environment.Stop(); err != nil {
			t.Error(err)
		}
		t.Logf("environment stopped in %d ms", time.Since(stopping).Milliseconds())
	})
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	serving := environment.WebhookInstallOptions
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{
			Host: serving.LocalServingHost, Port: serving.LocalServingPort, CertDir: serving.LocalServingCertDir,
		}),
	})
	if err == nil {
		err = SetUp(manager)
	}
	if err != nil {
		close(done)
		t.Fatal(err)
	}
	go func() {
		defer close(done)
		if err := manager.Start(ctx); err != nil {
			t.Error(err)
		}
	}()
	api, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the webhook serves", func() bool { return manager.GetWebhookServer().StartedChecker()(nil) == nil })
	return api
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within 30 s", what)
		}
	}
}

func TestGreeting(t *testing.T) {
	api := start(t)
	ctx := context.Background()
	greeting := &Greeting{ObjectMeta: metav1.ObjectMeta{Name: "one", Namespace: "default"}}
	key := client.ObjectKeyFromObject(greeting)

	if err := api.Create(ctx, greeting); err != nil {
		t.Fatal(err)
	}
	if greeting.Spec.Name != "world" {
		t.Errorf("the webhook fills in the name: got %q", greeting.Spec.Name)
	}
	configMap := &corev1.ConfigMap{}
	text := func() string {
		if err := api.Get(ctx, key, configMap); err != nil {
			return ""
		}
		return configMap.Data["text"]
	}
	eventually(t, "the ConfigMap is made", func() bool { return text() == "Hello, world" })

	long := &Greeting{ObjectMeta: metav1.ObjectMeta{Name: "two", Namespace: "default"}, Spec: Spec{Name: strings.Repeat("x", 21)}}
	if err := api.Create(ctx, long); !apierrors.IsForbidden(err) {
		t.Errorf("the webhook refuses a long name: got %v", err)
	}
	patch := client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"name":"you"}}`))
	if err := api.Patch(ctx, greeting, patch); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the ConfigMap follows", func() bool { return text() == "Hello, you" })
	if err := api.Delete(ctx, configMap); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the ConfigMap comes back", func() bool { return text() == "Hello, you" })

	// Only where the assets were made with controllers: the reference has none that delete what has lost its owner, or empty namespaces.
	if os.Getenv("WHEELHOUSE_EMBEDDED_CONTROLLERS") != "true" {
		return
	}
	if err := api.Delete(ctx, greeting); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the ConfigMap goes with its owner", func() bool { return apierrors.IsNotFound(api.Get(ctx, key, configMap)) })
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "gone-soon"}}
	if err := api.Create(ctx, namespace); err != nil {
		t.Fatal(err)
	}
	if err := api.Delete(ctx, namespace); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the namespace goes", func() bool {
		return apierrors.IsNotFound(api.Get(ctx, client.ObjectKeyFromObject(namespace), namespace))
	})
}
