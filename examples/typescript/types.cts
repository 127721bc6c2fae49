import type { ApiServerOptions, KeyPair, Logger, Storage } from 'wheelhouse';
import { startApiServer } from 'wheelhouse';
import type { Snapshot, TestServer } from 'wheelhouse/testing';
import { ManualClock, startTestServer } from 'wheelhouse/testing';

export async function embed(store: Storage, log: Logger): Promise<string> {
  const options: ApiServerOptions = { storage: store, log, controllers: ['namespace-controller'], authorization: 'Node,RBAC' };
  const server = await startApiServer(options);
  const kubelet: KeyPair = server.issueClientCertificate('system:node:one', ['system:nodes']);
  await server.stop();
  return kubelet.certificate;
}

export async function travel(): Promise<void> {
  const clock = new ManualClock(0);
  const server: TestServer = await startTestServer({ clock, apis: { 'api/beta': true } });
  const before: Snapshot = server.snapshot();
  clock.advance(1000);
  await server.reset(before);
  await server[Symbol.asyncDispose]();
  // @ts-expect-error: there is no such option
  await startApiServer({ storge: 'memory' });
  // @ts-expect-error: there is no such controller
  await startApiServer({ controllers: ['namespace'] });
}
