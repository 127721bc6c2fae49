// Upstream: k8s.io/apiextensions-apiserver/pkg/cmd/server/options/options.go#NewCRDRESTOptionsGetter
import { isSelfDescribed } from '../../machinery/codec/cbor/codec.ts';
import { parseJson } from '../../machinery/codec/json/parse.ts';
import type { Codecs } from '../../server/object/codecs.ts';
import { jsonLine } from '../../server/object/json-line.ts';
import type { Transformer } from '../../storage/encryption/ciphers/transformer.ts';

/** Custom resources as upstream keeps them in etcd: JSON, or CBOR where that is served. Both are read, whichever server wrote them. */
export function customValues({ cbor, json, served }: Codecs): Transformer {
  return {
    toStorage: (value, key) =>
      served.cbor ? cbor.encodeUnstructured(parseJson(value.toString()) as object) : jsonLine.toStorage(value, key),
    fromStorage(stored, key) {
      if (isSelfDescribed(stored)) {
        const { object } = cbor.decodeUnstructured(stored);
        return { value: Buffer.from(json.encodeUnstructured(object)), stale: !served.cbor };
      }
      const line = jsonLine.fromStorage(stored, key);
      return served.cbor && !(line instanceof Promise) ? { ...line, stale: true } : line;
    },
  };
}
