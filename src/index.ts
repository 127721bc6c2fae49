/** The API server inside your process. */
import type { ApiServerOptions, RunningApiServer } from './client/start-server.ts';
import { startServer } from './client/start-server.ts';

export type { Clock } from './base/clock.ts';
export type { LogFields, Logger } from './base/log.ts';
export type { KeyPair } from './base/tls/certificate.ts';
export type { ApiServerOptions, ClientUser, RunningApiServer } from './client/start-server.ts';
export type { GivenConfig } from './controlplane/config.ts';
export type { ControllerChoice, ControllerName } from './controlplane/controller-names.ts';
export type { StorageBackend } from './controlplane/storage.ts';
export type { Snapshot } from './storage/mvcc/snapshot.ts';
export type { Storage } from './storage/storage.ts';
export type { Fetch } from './client/in-process-fetch.ts';
export type { ApiVersion, Draft, Kind, KubeObject, Manifest, ObjectReference } from './client/kinds.ts';
export type { AdmissionRequest, CustomAdmission } from './controlplane/custom-admission.ts';
export type { CustomAuthorizer } from './controlplane/authorization.ts';
export type { KubeClient } from './client/kube-client.ts';
export type { Reconcile, Reconciler } from './client/reconciler.ts';
export type { ResourceClient } from './client/resource-client.ts';
export { ApiError } from './machinery/errors.ts';

/** Starts an API server and resolves when it is ready. */
export async function startApiServer(options: ApiServerOptions = {}): Promise<RunningApiServer> {
  const { forkOn: _, ...server } = await startServer(options);
  return server;
}
