// Package snapshots takes a Wheelhouse that was started with --wheelhouse-api=snapshots back to an earlier state, for tests.
package snapshots

import (
	"context"
	"encoding/json"

	"k8s.io/client-go/rest"
)

// Wheelhouse is a server as a REST client reaches it, such as Discovery().RESTClient() of a clientset.
type Wheelhouse struct{ Client rest.Interface }

// Snapshot returns a name for what the server holds now.
func (w Wheelhouse) Snapshot(ctx context.Context) (string, error) {
	body, err := w.post(ctx, "snapshot", struct{}{})
	if err != nil {
		return "", err
	}
	var made struct{ ID string }
	err = json.Unmarshal(body, &made)
	return made.ID, err
}

// Restore makes what was there then the present again.
func (w Wheelhouse) Restore(ctx context.Context, snapshot string) error {
	_, err := w.post(ctx, "restore", map[string]string{"id": snapshot})
	return err
}

// Reset goes back to what was there when the server had become ready.
func (w Wheelhouse) Reset(ctx context.Context) error {
	_, err := w.post(ctx, "reset", struct{}{})
	return err
}

func (w Wheelhouse) post(ctx context.Context, what string, content any) ([]byte, error) {
	body, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	return w.Client.Post().AbsPath("/wheelhouse/v1/"+what).SetHeader("Content-Type", "application/json").Body(body).DoRaw(ctx)
}
