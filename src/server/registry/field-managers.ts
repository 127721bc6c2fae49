import type { Turn } from '../../base/turns.ts';
import { stringify } from '../../machinery/codec/json/write.ts';
import { ConversionError } from '../../patch/apply/versions.ts';
import { FieldManager } from '../../patch/field-manager.ts';
import type { Steps } from '../../base/steps.ts';
import { allSteps, stepByStep } from '../../base/steps.ts';
import { fieldSet } from '../../patch/apply/field-set.ts';
import type { Shapes } from '../../patch/apply/shape.ts';
import type { JsonObject } from '../../patch/json/json-object.ts';
import { deepCopy } from '../../machinery/deep-copy.ts';
import type { KubeObject } from './definition.ts';
import type { VersionedKind } from '../object/versioned-kind.ts';
import type { Resource } from './resource.ts';
import { fromStorage, toStorage } from './resource.ts';

/** Thrown by a conversion that has to wait for a webhook; what asked for it is called again afterwards. */
class ConversionPendingError extends Error {
  readonly settled: Promise<void>;

  constructor(settled: Promise<void>) {
    super('the conversion is not there yet');
    this.settled = settled;
  }
}

/** Conversions that one use of a field manager has waited for, by version and object. */
type Conversions = Map<string, JsonObject | Error>;

/** Field managers of a server: one per resource, version and subresource, made when first needed. */
export class FieldManagers {
  readonly #shapes: Shapes;
  readonly #report: (error: Error) => void;
  readonly #known = new WeakMap<VersionedKind, Map<string, FieldManager>>();
  /** of the use that goes on in this very turn */
  #conversions: Conversions | undefined;

  /** `report` hears why the managers of a write could not be worked out; the write is not refused for it. */
  constructor(shapes: Shapes, report: (error: Error) => void = () => {}) {
    this.#shapes = shapes;
    this.#report = report;
  }

  /**
   * Uses a field manager of the resource, which never waits. Where its versions are converted by a webhook, it is used again and
   * again until all conversions that it asks for are there.
   */
  use<T>(resource: Resource, run: () => Steps<T>, turn?: Turn): T | Promise<T> {
    if (resource.convert !== undefined) return this.#useConverting(run, turn);
    return turn === undefined ? allSteps(run()) : stepByStep(run());
  }

  async #useConverting<T>(run: () => Steps<T>, turn: Turn | undefined): Promise<T> {
    const conversions: Conversions = new Map();
    for (;;) {
      const steps = run();
      let pending: ConversionPendingError | undefined;
      while (pending === undefined) {
        this.#conversions = conversions;
        try {
          const { done, value } = steps.next();
          if (done === true) return value;
        } catch (error) {
          if (!(error instanceof ConversionPendingError)) throw error;
          pending = error;
        } finally {
          this.#conversions = undefined;
        }
        if (pending === undefined && turn !== undefined) await turn();
      }
      await pending.settled;
    }
  }

  /** An object in another version, by the converter of the resource. */
  #convert(convert: NonNullable<Resource['convert']>, object: JsonObject, apiVersion: string): JsonObject {
    const conversions = this.#conversions ?? new Map<string, JsonObject | Error>();
    const key = `${apiVersion} ${stringify(object)}`;
    const known = conversions.get(key);
    if (known instanceof Error) throw new ConversionError(known.message, { cause: known });
    if (known !== undefined) return known;
    const converted = convert(deepCopy(object) as KubeObject, apiVersion);
    if (!(converted instanceof Promise)) return converted as JsonObject;
    throw new ConversionPendingError(
      converted.then(
        (done) => void conversions.set(key, done as JsonObject),
        (error: Error) => void conversions.set(key, error),
      ),
    );
  }

  of(resource: Resource, versionedKind: VersionedKind, subresource: string): FieldManager {
    let bySubresource = this.#known.get(versionedKind);
    if (bySubresource === undefined) this.#known.set(versionedKind, (bySubresource = new Map<string, FieldManager>()));
    let manager = bySubresource.get(subresource);
    if (manager === undefined) bySubresource.set(subresource, (manager = this.#make(resource, versionedKind, subresource)));
    return manager;
  }

  /** For objects that are no resource of their own (reviews, bodies of subresources): nothing is reset, there is one version. */
  ofType(versionedKind: VersionedKind, subresource: string): FieldManager {
    let bySubresource = this.#known.get(versionedKind);
    if (bySubresource === undefined) this.#known.set(versionedKind, (bySubresource = new Map<string, FieldManager>()));
    let manager = bySubresource.get(subresource);
    if (manager === undefined) {
      const { type, profile } = versionedKind;
      const versions = { typeOf: (): typeof type => type, convert: (object: JsonObject): JsonObject => object };
      manager = new FieldManager({
        shapes: this.#shapes,
        gvk: versionedKind,
        type,
        subresource,
        unstructured: !profile.isTyped,
        versions,
        report: this.#report,
      });
      bySubresource.set(subresource, manager);
    }
    return manager;
  }

  #make(resource: Resource, versionedKind: VersionedKind, subresource: string): FieldManager {
    const paths = resetPaths(resource, subresource);
    const reset = fieldSet(...paths.map((path) => path.map((name) => `f:${name}`)));
    const byVersion = [...resource.versions.values()].map((version) => [version.apiVersion, reset] as const);
    const versionOf = (apiVersion: string): VersionedKind | undefined =>
      [...resource.versions.values()].find((one) => one.apiVersion === apiVersion);
    return new FieldManager({
      shapes: this.#shapes,
      gvk: versionedKind,
      type: versionedKind.type,
      subresource,
      unstructured: !versionedKind.profile.isTyped,
      report: this.#report,
      fieldTexts: versionedKind.fieldTexts,
      ...(paths.length > 0 && { resetFields: new Map(byVersion) }),
      versions: {
        typeOf: (apiVersion) => versionOf(apiVersion)?.type,
        convert: (object, apiVersion) => {
          const target = versionOf(apiVersion);
          if (target === undefined) throw new Error(`no version ${apiVersion} of ${resource.kind}`);
          if (resource.convert !== undefined) return this.#convert(resource.convert, object, apiVersion);
          const source = versionOf(String(object['apiVersion'])) ?? versionedKind;
          return fromStorage(resource, target, toStorage(resource, source, complete(source, object))) as JsonObject;
        },
      },
    });
  }
}

/** What is merged may lack what its type always has, which conversions count on. */
function complete(versionedKind: VersionedKind, object: JsonObject): KubeObject {
  return versionedKind.profile.isTyped ? versionedKind.decodeMerged(object) : (deepCopy(object) as KubeObject);
}

/** What a writer of this endpoint cannot own, because the endpoint resets it. */
function resetPaths(resource: Resource, subresource: string): readonly (readonly string[])[] {
  if (subresource === '') return resource.strategy.resetFields ?? (resource.hasStatus ? [['status']] : []);
  if (subresource === 'status') return resource.definition.status?.resetFields ?? [['spec']];
  return resource.definition.subresources?.[subresource]?.update?.resetFields ?? [];
}
