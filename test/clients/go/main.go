// A client as operators write them: client-go over protobuf. "objects" lives through every verb on ConfigMaps and Pods;
// "informer" writes while an informer listens and the server is restarted by whoever runs this, and accounts for every event.
// Prints what it does; exits with 1 at the first thing that is not as it should be.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

const limit = 90 * time.Second

func main() {
	kubeconfig := flag.String("kubeconfig", "", "file that says where the server is")
	namespace := flag.String("namespace", "default", "namespace to work in, which exists")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	check(err, "kubeconfig")
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	config.QPS = -1
	client := kubernetes.NewForConfigOrDie(config)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	switch flag.Arg(0) {
	case "objects":
		objects(ctx, client, *namespace)
	case "informer":
		informer(ctx, client, *namespace)
	default:
		fmt.Fprintln(os.Stderr, "usage: clients [flags] objects|informer")
		os.Exit(2)
	}
}

func check(err error, doing string) {
	if err != nil {
		fail("%s: %v", doing, err)
	}
}

func fail(format string, values ...any) {
	fmt.Printf("FAIL "+format+"\n", values...)
	os.Exit(1)
}
