// Package greeting is a small operator: a Greeting gets a ConfigMap with its text, a webhook fills in the name that is missing and another
// refuses one that is too long.
package greeting

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// GroupVersion is that of Greeting.
var GroupVersion = schema.GroupVersion{Group: "example.com", Version: "v1"}

// AddToScheme makes Greeting known to clients.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &Greeting{}, &GreetingList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}

// Greeting says whom to greet.
type Greeting struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec   `json:"spec,omitempty"`
	Status            Status `json:"status,omitempty"`
}

// Spec of a Greeting.
type Spec struct {
	Name string `json:"name,omitempty"`
}

// Status of a Greeting.
type Status struct {
	ConfigMap string `json:"configMap,omitempty"`
}

// GreetingList is a list of Greetings.
type GreetingList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Greeting `json:"items"`
}

// DeepCopyObject implements runtime.Object.
func (g *Greeting) DeepCopyObject() runtime.Object {
	out := *g
	g.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// DeepCopyObject implements runtime.Object.
func (l *GreetingList) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = make([]Greeting, len(l.Items))
	for i := range l.Items {
		out.Items[i] = *l.Items[i].DeepCopyObject().(*Greeting)
	}
	return &out
}

// Reconciler keeps the ConfigMap of every Greeting.
type Reconciler struct {
	Client client.Client
}

// Reconcile makes the ConfigMap what the Greeting says.
func (r *Reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	greeting := &Greeting{}
	if err := r.Client.Get(ctx, request.NamespacedName, greeting); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: greeting.Name, Namespace: greeting.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = map[string]string{"text": "Hello, " + greeting.Spec.Name}
		return controllerutil.SetControllerReference(greeting, configMap, r.Client.Scheme())
	})
	if err != nil || greeting.Status.ConfigMap == configMap.Name {
		return ctrl.Result{}, err
	}
	greeting.Status.ConfigMap = configMap.Name
	return ctrl.Result{}, r.Client.Status().Update(ctx, greeting)
}

// Webhook defaults and validates Greetings.
type Webhook struct{}

// Default implements admission.Defaulter.
func (Webhook) Default(_ context.Context, greeting *Greeting) error {
	if greeting.Spec.Name == "" {
		greeting.Spec.Name = "world"
	}
	return nil
}

// ValidateCreate implements admission.Validator.
func (w Webhook) ValidateCreate(_ context.Context, greeting *Greeting) (admission.Warnings, error) {
	return nil, w.validate(greeting)
}

// ValidateUpdate implements admission.Validator.
func (w Webhook) ValidateUpdate(_ context.Context, _, greeting *Greeting) (admission.Warnings, error) {
	return nil, w.validate(greeting)
}

// ValidateDelete implements admission.Validator.
func (Webhook) ValidateDelete(context.Context, *Greeting) (admission.Warnings, error) {
	return nil, nil
}

func (Webhook) validate(greeting *Greeting) error {
	if len(greeting.Spec.Name) > 20 {
		return fmt.Errorf("the name %q is too long to be called out", greeting.Spec.Name)
	}
	return nil
}

// SetUp adds the controller and the webhooks to a manager.
func SetUp(manager ctrl.Manager) error {
	if err := ctrl.NewWebhookManagedBy(manager, &Greeting{}).WithDefaulter(Webhook{}).WithValidator(Webhook{}).Complete(); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(manager).For(&Greeting{}).Owns(&corev1.ConfigMap{}).Complete(&Reconciler{Client: manager.GetClient()})
}
