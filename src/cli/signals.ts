// Upstream: k8s.io/apiserver/pkg/server/signal.go
/** Resolves at the first SIGTERM or SIGINT; the second one ends the process at once. */
export function untilSignalled(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let signalled = false;
    const onSignal = (signal: NodeJS.Signals): void => {
      if (signalled) process.exit(1);
      signalled = true;
      resolve(signal);
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}
