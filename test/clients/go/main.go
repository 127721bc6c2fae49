// A client as operators write them, made of client-go. "objects" lives through every verb on ConfigMaps and Pods;
// "steady" writes and reads while servers come and go; "informers" writes while informers listen and the server is disturbed by whoever runs this, and accounts for every event.
// Prints what it does; exits with 1 at the first thing that is not as it should be.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "file that says where the server is")
	namespace := flag.String("namespace", "default", "namespace to work in, which exists")
	media := flag.String("media", "application/vnd.kubernetes.protobuf", "media type of requests and answers")
	listen := flag.String("listen", "", "address of the server for informers, if another than the kubeconfig's")
	objectCount := flag.Int("objects", 200, "objects of each kind that informers listen to")
	strict := flag.Bool("strict", true, "fail when an informer was not told of a write, even if a restart lies between")
	limit := flag.Duration("limit", 90*time.Second, "time for everything")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	check(err, "kubeconfig")
	config.ContentType = *media
	config.AcceptContentTypes = *media + ",application/json"
	config.QPS = -1
	ctx, cancel := context.WithTimeout(context.Background(), *limit)
	defer cancel()
	switch flag.Arg(0) {
	case "objects":
		objects(ctx, kubernetes.NewForConfigOrDie(config), *namespace)
	case "informers":
		away := rest.CopyConfig(config)
		if *listen != "" {
			away.Host = *listen
		}
		play := &play{ctx: ctx, config: config, listen: away, namespace: *namespace, objectCount: *objectCount, strict: *strict}
		play.run()
	case "steady":
		load := &steady{play: &play{ctx: ctx, config: config, namespace: *namespace}}
		load.run()
	default:
		fmt.Fprintln(os.Stderr, "usage: clients [flags] objects|informers|steady")
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
