import type { KubeObject } from '../machinery/kube-object.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '../server/admission/admission.ts';
import { forbid } from '../server/admission/forbid.ts';
import type { UserInfo } from '../server/request/user.ts';

/** A request as a plugin of the library's user sees it. */
export interface AdmissionRequest {
  readonly operation: AdmissionOperation;
  readonly group: string;
  readonly version: string;
  /** plural: `pods` */
  readonly resource: string;
  /** '': none */
  readonly subresource: string;
  /** '': the object is of the cluster */
  readonly namespace: string;
  readonly name: string;
  /** What is to be stored, in the storage version; undefined for DELETE. `mutate` changes it in place. */
  readonly object: KubeObject | undefined;
  /** what is stored; undefined for CREATE */
  readonly oldObject: KubeObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** Sends a warning with the response. */
  warn(text: string): void;
}

/** An admission plugin as plain functions, asked about every write of clients. It runs after the built-in ones and before policies and webhooks. */
export interface CustomAdmission {
  readonly name: string;
  /** Changes the object of a request. */
  mutate?(request: AdmissionRequest): Promise<void> | void;
  /** Refuses a request with 403 by returning why. */
  validate?(request: AdmissionRequest): Promise<string | undefined> | string | undefined;
}

export function customPlugin({ name, mutate, validate }: CustomAdmission): AdmissionPlugin {
  return {
    name,
    // Not what the server writes by itself: a plugin that refuses it would keep the server from starting.
    handles: ({ timeLimit }) => timeLimit !== undefined,
    ...(mutate && { mutate: (attributes) => mutate(requestOf(attributes)) }),
    ...(validate && {
      async validate(attributes) {
        const reason = await validate(requestOf(attributes));
        if (reason !== undefined) throw forbid(attributes, reason);
      },
    }),
  };
}

function requestOf(attributes: AdmissionAttributes): AdmissionRequest {
  const { operation, resource, version, subresource, namespace, name, object, old: oldObject, user, dryRun } = attributes;
  return {
    operation,
    group: resource.group,
    version,
    resource: resource.names.plural,
    subresource,
    namespace,
    name,
    object,
    oldObject,
    user,
    dryRun,
    warn: (text) => attributes.warn(text),
  };
}
