import type { KubeObject } from '../machinery/kube-object.ts';
import type { LabelSecret } from '../server/access/authn/service-account/legacy-token-tracking.ts';
import type { ObjectReader } from '../server/registry/object-reader.ts';
import type { ServerWriter } from '../server/registry/server-writer.ts';

/** Labels of secrets, as the server sets them. */
export function secretLabels({ reader, writer }: { readonly reader: ObjectReader; readonly writer: ServerWriter }): LabelSecret {
  return async ({ metadata: { namespace = '', name = '', uid = '' } }, labels) => {
    const edit = ({ metadata }: KubeObject): void => void (metadata.labels = { ...metadata.labels, ...labels });
    await writer.update(reader.resource('', 'secrets'), namespace, name, edit, { preconditions: { uid } });
  };
}
