import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { deepCopy } from '../../machinery/deep-copy.ts';
import { deepEqual } from '../../machinery/deep-equal.ts';
import { isReason } from '../../machinery/errors.ts';
import type { KubeObject } from '../../machinery/kube-object.ts';
import type { ObjectMeta } from '../../machinery/object-meta.ts';
import { timestamp } from '../../machinery/time.ts';
import type { JsonObject } from '../../patch/json/json-object.ts';
import { alwaysAllow } from '../request/authorizer.ts';
import type { ObjectReader } from './object-reader.ts';
import type { OwnWrites, WriteContext } from './context.ts';
import type { SubresourceUpdate } from './definition.ts';
import type { Capabilities } from './capabilities.ts';
import { deleteObject } from './delete.ts';
import type { FeatureGates } from './features.ts';
import type { FieldManagers } from './field-managers.ts';
import type { StoredEntry } from './entry.ts';
import type { Resource } from './resource.ts';
import { statusUpdate } from './status-update.ts';
import { storedText } from './stored-text.ts';
import type { Preconditions, UpdateRequest } from './store.ts';

export interface ServerWriterOptions {
  readonly reader: ObjectReader;
  readonly clock: Clock;
  readonly features: FeatureGates;
  readonly capabilities: Capabilities;
  readonly fieldManagers: FieldManagers;
  /** A template of the JSON that is stored of an object that every cluster has (`stored-text.ts`); undefined: rules are to make it. */
  readonly storedForm?: (group: string, plural: string, object: KubeObject, manager: string) => string | undefined;
}

export interface ServerUpdate {
  /** who manages the fields that change; default: the server */
  readonly manager?: string;
  /** hooks of the status through which the update comes; undefined: it is one of the whole object */
  readonly subresourceUpdate?: SubresourceUpdate;
  readonly preconditions?: Preconditions;
}

/** A write of the server as admission sees it. Those that mutate change `object` in place. */
export interface OwnWrite {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly resource: Resource;
  readonly context: WriteContext;
  object: KubeObject | undefined;
  readonly old: KubeObject | undefined;
}

/** What stands before writes of the server as before those of clients. */
export interface OwnWriteAdmission {
  mutate(write: OwnWrite): Promise<void>;
  validate(write: OwnWrite): Promise<void>;
}

const ownManager = 'kube-apiserver';

/** Writes as the server itself, through the rules of the kind and, after `admitBy`, admission. */
export class ServerWriter implements OwnWrites {
  readonly #options: ServerWriterOptions;
  #admission: OwnWriteAdmission | undefined;

  constructor(options: ServerWriterOptions) {
    this.#options = options;
  }

  /** From now on every write is admitted first. Plugins have this writer before there is an admission. */
  admitBy(admission: OwnWriteAdmission): void {
    this.#admission = admission;
  }

  /** Creates the object unless one of that name is there. Cheap when it is. */
  async ensure(group: string, plural: string, object: KubeObject, manager = ownManager): Promise<void> {
    const { name = '', namespace = '' } = object.metadata;
    const { store, storage } = this.#options.reader.resource(group, plural);
    if ((await store.getCurrent(namespace, name)) !== undefined) return;
    const form = this.#options.storedForm?.(group, plural, object, manager);
    // Another version may be the one that is stored.
    const isForm = form?.startsWith(`{"kind":"${storage.kind}","apiVersion":"${storage.apiVersion}",`);
    await (form === undefined || !isForm ? this.make(group, plural, object, manager) : this.ensureStored(group, plural, form));
  }

  /** The same, by the rules of the kind. A status is part of a stored form alone. */
  async make(group: string, plural: string, { status: _, ...object }: KubeObject, manager = ownManager): Promise<void> {
    const { name = '', namespace = '' } = object.metadata;
    const resource = this.#options.reader.resource(group, plural);
    const { store, storage } = resource;
    const complete: KubeObject = { ...deepCopy(object), kind: storage.kind, apiVersion: storage.apiVersion };
    storage.applyDefaults(complete);
    const context = this.context(storage.version, namespace, name);
    this.#managed(resource, '').update({ live: undefined, next: complete, manager, now: context.now });
    const write: OwnWrite = { operation: 'CREATE', resource, context, object: complete, old: undefined };
    await unlessThere(async () => {
      await this.#admission?.mutate(write);
      await store.create(write.object as KubeObject, context, (object) => this.#admission?.validate({ ...write, object }));
    });
  }

  /**
   * The same of an object that is part of this version, by the JSON that is stored of it, made when the version was (`stored-text.ts`): rules need not
   * make it once more at every first start. What admission changes goes through them.
   */
  async ensureStored(group: string, plural: string, template: string): Promise<void> {
    const resource = this.#options.reader.resource(group, plural);
    const { store, storage } = resource;
    const now = timestamp(this.#options.clock.now());
    const text = storedText(template, randomUUID(), now);
    const stored = JSON.parse(text) as KubeObject;
    const { uid: _, creationTimestamp: __, ...metadata } = stored.metadata;
    const { name = '', namespace = '' } = metadata;
    const object = { ...stored, metadata };
    const given = JSON.stringify(object);
    const context = this.context(storage.version, namespace, name);
    const write: OwnWrite = { operation: 'CREATE', resource, context, object, old: undefined };
    const validate = (complete: KubeObject): Promise<void> | undefined => this.#admission?.validate({ ...write, object: complete });
    await unlessThere(async () => {
      await this.#admission?.mutate(write);
      if (JSON.stringify(write.object) !== given) return void (await store.create(write.object as KubeObject, context, validate));
      await validate(stored);
      await store.createAsStored(stored, text);
    });
  }

  /** Creates the object, or gives it these fields where it has others. Labels are added, other metadata stays. */
  async put(group: string, plural: string, object: KubeObject): Promise<void> {
    await this.ensure(group, plural, object);
    const { metadata, ...fields } = object;
    await this.change(group, plural, metadata, (next) => {
      Object.assign(next, deepCopy(fields));
      next.metadata.labels = { ...next.metadata.labels, ...metadata.labels };
    });
  }

  /** Changes an object that exists; nothing is written when the change leaves it as it was. */
  async change<T extends KubeObject>(
    group: string,
    plural: string,
    { namespace = '', name = '' }: ObjectMeta,
    edit: (object: T) => void,
    manager = ownManager,
  ): Promise<void> {
    const resource = this.#options.reader.resource(group, plural);
    const complete = (object: T): void => {
      edit(object);
      resource.storage.applyDefaults(object);
    };
    await this.update(resource, namespace, name, complete, { manager });
  }

  async admitCreate<T extends KubeObject>(group: string, plural: string, object: T): Promise<T> {
    const resource = this.#options.reader.resource(group, plural);
    const { name = '', namespace = '' } = object.metadata;
    const { kind, apiVersion, version } = resource.storage;
    const complete = { kind, apiVersion, ...object };
    const write: OwnWrite = {
      operation: 'CREATE',
      resource,
      context: this.context(version, namespace, name),
      object: complete,
      old: undefined,
    };
    await this.#admission?.mutate(write);
    await this.#admission?.validate(write);
    return write.object as T;
  }

  async admitDelete(group: string, plural: string, old: KubeObject): Promise<void> {
    const resource = this.#options.reader.resource(group, plural);
    const { name = '', namespace = '' } = old.metadata;
    await this.#admitDelete(resource, this.context(resource.storage.version, namespace, name), old);
  }

  async #admitDelete(resource: Resource, context: WriteContext, old: KubeObject): Promise<void> {
    const write: OwnWrite = { operation: 'DELETE', resource, context, object: undefined, old };
    await this.#admission?.mutate(write);
    await this.#admission?.validate(write);
  }

  async updateStatus<T extends KubeObject>(
    group: string,
    plural: string,
    namespace: string,
    name: string,
    edit: (object: T, now: string) => void,
  ): Promise<void> {
    const resource = this.#options.reader.resource(group, plural);
    await this.update(resource, namespace, name, edit, { subresourceUpdate: statusUpdate(resource) });
  }

  /** `edit` changes a copy of the newest state, again after a conflict; what it throws ends the attempt. Resolves with the stored object. */
  async update<T extends KubeObject>(
    resource: Resource,
    namespace: string,
    name: string,
    edit: (object: T, now: string) => void,
    { manager = ownManager, subresourceUpdate, preconditions }: ServerUpdate = {},
  ): Promise<T> {
    const subresource = subresourceUpdate === undefined ? '' : 'status';
    const context = this.context(resource.storage.version, namespace, name, subresource);
    const { now } = context;
    const entry = await this.store(resource, context, {
      ...(subresourceUpdate !== undefined && { subresourceUpdate }),
      ...(preconditions !== undefined && { preconditions }),
      transform: (existing) => {
        const live = existing as T;
        const next = structuredClone(live);
        edit(next, now);
        if (!deepEqual(next, live)) this.#managed(resource, subresource).update({ live, next, manager, now });
        return next;
      },
    });
    return resource.store.parse(entry) as T;
  }

  /** Server-side apply of a status; what others have set is taken over. */
  async applyStatus(group: string, plural: string, name: string, status: JsonObject, manager: string): Promise<void> {
    const resource = this.#options.reader.resource(group, plural);
    const { apiVersion, kind, version } = resource.storage;
    const context = this.context(version, '', name, 'status');
    const config = { apiVersion, kind, metadata: { name }, status };
    await this.store(resource, context, {
      subresourceUpdate: statusUpdate(resource),
      transform: (existing) => {
        const live = existing as JsonObject;
        const { object } = this.#managed(resource, 'status').apply({ live, config, manager, force: true, now: context.now });
        return object as KubeObject;
      },
    });
  }

  async delete(resource: Resource, namespace: string, name: string): Promise<void> {
    const context = this.context(resource.storage.version, namespace, name);
    await deleteObject(resource, name, {}, context, (old) => this.#admitDelete(resource, context, old()));
  }

  /** An update whose caller says all of it. What changes nothing is no matter of admission. */
  async store(resource: Resource, context: WriteContext, request: Omit<UpdateRequest, 'validateUpdate'>): Promise<StoredEntry> {
    const admission = this.#admission;
    const about = { operation: 'UPDATE', resource, context } as const;
    const { entry } = await resource.store.update(context.name, context, {
      ...request,
      transform: async (existing, turn) => {
        const object = await request.transform(existing, turn);
        if (admission === undefined || deepEqual(object, existing)) return object;
        const write: OwnWrite = { ...about, object, old: existing };
        await admission.mutate(write);
        return write.object as KubeObject;
      },
      ...(admission !== undefined && {
        validateUpdate: async (object, old) => {
          if (!deepEqual(object, old)) await admission.validate({ ...about, object, old });
        },
      }),
    });
    return entry;
  }

  /** What hooks of a kind learn about a write by the server itself. */
  context(version: string, namespace: string, name: string, subresource = ''): WriteContext {
    const { reader, clock, features, capabilities } = this.#options;
    return {
      user: { name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} },
      namespace,
      name,
      subresource,
      version,
      dryRun: false,
      fieldManager: ownManager,
      features,
      capabilities,
      authorizer: alwaysAllow,
      reader,
      own: this,
      now: timestamp(clock.now()),
      warn: () => {},
    };
  }

  #managed(resource: Resource, subresource: string): ReturnType<FieldManagers['of']> {
    return this.#options.fieldManagers.of(resource, resource.storage, subresource);
  }
}

/** Another server may have been faster. */
async function unlessThere(create: () => Promise<void>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
}
